import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../helpers/eventually.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';

const letters = 'Get started,Usage,Requests,Batches,Keys,Playground,Models,Alerts,Organizations'.split(',');

// Each test continues where the one before it has ended.

describe('the frame of the pages', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, administrator, services } = dashboard.app;
  const { key } = await services.keys.create({ orgId, userId: administrator.userId, name: 'nightly batch' });
  const page = await dashboard.newPage({ colorScheme: 'light' });
  await page.goto(`/organizations/${orgId}/models`);
  await signIn(page, administrator);
  const title = (name: string) => page.getByRole('heading', { name, level: 1 });
  await title('Models').waitFor();
  const palette = () => page.getByRole('dialog', { name: 'Search' });

  test('finds a key by a part of its name and opens its page', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await palette().waitFor();
    await page.keyboard.type('tly ba');
    await palette()
      .getByRole('option', { name: /^nightly batch/, selected: true })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/keys/${key.keyId}`);
    await title('nightly batch').waitFor();
    await palette().waitFor({ state: 'detached' });
  });

  test('lists a page and a key with the exact name before many others, and leads to all of these', async () => {
    const names = ['usage', 'members of the usage', ...Array.from({ length: 8 }, (_, n) => `a usage ${n}`)];
    for (const name of names) await services.keys.create({ orgId, userId: administrator.userId, name });
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('usage');
    const options = palette().getByRole('option');
    await options.filter({ hasText: 'All keys with “usage”' }).waitFor();
    const shown = await options.allTextContents();
    assert.match(shown[0] ?? '', /^Usage/);
    assert.match(shown[1] ?? '', /^usage/);
    assert.equal(shown.length, 1 + 6 + 1);
    await options.last().click();
    await page.waitForURL('**/keys?q=usage');
  });

  test('leads to a page by two letters, which a field keeps for itself', async () => {
    await page.keyboard.type('gk');
    await title('Keys').waitFor();
    await page.getByLabel('Search keys').pressSequentially('gm');
    await page.waitForURL('**/keys?q=gm');
    await page.getByLabel('Search keys').blur();
    await page.keyboard.type('gm');
    await title('Models').waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'Create API Key' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('lists its shortcuts', async () => {
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard' });
    for (const name of letters) {
      await list.getByText(name, { exact: true }).waitFor();
    }
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });

  test('keeps the chosen theme, from the first moment of the next page', async () => {
    const background = (): Promise<string> =>
      page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: 'Administrator' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const dark = await background();
    assert.notEqual(dark, light);
    // The scripts of the page can't have run: they wait for a response.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await eventually(() =>
      page.evaluate<boolean>('document.body !== null && document.styleSheets.length > 0'),
    );
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
    assert.equal(await background(), dark);
    release();
    await title('Keys').waitFor();
    await page.unroute('**/assets/*.js');
    assert.equal(await background(), dark);
  });

  test('stays around a page that does not exist', async () => {
    await page.goto('/no/such/page');
    await page.getByText('This page does not exist, or you do not have access to it.').waitFor();
    await page
      .getByRole('navigation', { name: 'Organization' })
      .getByRole('link', { name: 'Models' })
      .click();
    await title('Models').waitFor();
  });
});
