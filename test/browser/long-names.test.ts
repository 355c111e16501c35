import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { organizationPages } from './pages.ts';

const widths = [1_440, 375];
const longName = 'organization-with-a-name-that-does-not-break'.repeat(4);
const longKeyName = 'k'.repeat(98);

describe('names of the maximum length', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, administrator, services, address } = dashboard.app;
  await services.organizations.rename(orgId, longName);
  const { userId } = administrator;
  const { secret } = await services.keys.create({ orgId, userId, name: longKeyName });
  assert.equal((await requestEmbeddings(address, secret, 'a text')).status, 200);
  const page = await dashboard.newPage();
  await page.goto('/login');
  await signIn(page, administrator);
  await page.waitForURL('**/organizations');
  const assertFits = async (what: string): Promise<void> => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(tooWide <= 0, `${what} is ${tooWide} px wider than a window of ${width} px`);
    }
  };

  test('fit into every page of the organization', async () => {
    for (const name of organizationPages) {
      await page.goto(`/organizations/${dashboard.app.orgId}/${name}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (name === 'usage')
        await page.getByRole('option', { name: longKeyName }).waitFor({ state: 'attached' });
      await assertFits(name);
    }
  });

  test('fit into the dialogs that repeat them', async () => {
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await page.getByRole('row', { name: longKeyName }).getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const tooWide = await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.ok(tooWide <= 0, `the dialog scrolls by ${tooWide} px in a window of ${width} px`);
    }
  });
});
