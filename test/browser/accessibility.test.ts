import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { allRows } from '../../src/lib/page.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { messages, openDashboard, signIn } from './dashboard.ts';
import { accessibilityFaults, assertFits, faultsOfThemes, layoutShift, maxShift } from './faults.ts';
import { organizationPages, pagesBeforeSignIn, pagesOfEverybody } from './pages.ts';
import { seedAlert, seedManyKeys, seedPeople, seedTargets } from './seed.ts';

const wide = { width: 1_440, height: 900 };
const narrow = { width: 375, height: 800 };
const between = [768, 1_024].map((width) => ({ width, height: 800 }));
/** Those that are also searched for faults between the narrow window and the wide one. */
const mainPages = /\/(usage|requests|keys)$/;
/** What the address of a page says, where the page has parts of which one is shown. */
const parts: Readonly<Record<string, readonly string[]>> = {
  usage: ['', '?tab=models', '?tab=limits', '?tab=alerts', '?view=latency', '?view=errors'],
  alerts: ['', '?tab=history', '?tab=rules', '?tab=deliveries'],
};

describe('every page for every role', { skip: withoutBrowser }, async () => {
  // By default, an organization with as many keys may create no other.
  const environment = { MAX_KEYS_PER_ORGANIZATION: '1100' };
  const dashboard = untilEnd(await openDashboard({ environment }));
  const { orgId, services, administrator } = dashboard.app;
  await seedPeople(dashboard.app);
  await seedTargets(dashboard.app, 'https://hooks.invalid/first');
  await seedManyKeys(dashboard.app);
  await seedAlert(dashboard.app);
  const [key = assert.fail('there is no key')] = await allRows((query) => services.keys.list(orgId, query));
  const organization = `/organizations/${orgId}`;
  const ofOrganization = organizationPages.flatMap((name) =>
    (parts[name] ?? ['']).map((part) => `${organization}/${name}${part}`),
  );
  const pagesBehindSignIn = [
    ...pagesOfEverybody,
    ...ofOrganization,
    `${organization}/keys/${key.keyId}`,
    '/docs',
  ];

  /** Finds faults in both themes in a wide window, and in one theme in a narrow one, which has the same colors. */
  const faultsOf = (page: Page): Promise<string[]> =>
    page.viewportSize()?.width === wide.width ? faultsOfThemes(page) : accessibilityFaults(page);
  /** Visits pages, and throws for each that jumps, has a fault or is too wide. */
  const assertFaultless = async (page: Page, paths: readonly string[]): Promise<void> => {
    const size = page.viewportSize() ?? wide;
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const shift = await layoutShift(page);
      assert.ok(shift <= maxShift, `${path} jumps while it loads: ${shift}`);
      if (path.endsWith('/playground'))
        await page.getByRole('button', { name: 'Embed', exact: true }).click();
      if (path === '/docs' && size.width === wide.width)
        for (const details of await page.locator('details').all())
          await details.evaluate('(e) => e.open = true');
      assert.deepEqual(await faultsOf(page), [], path);
      for (const other of size.width === wide.width ? between : []) {
        await page.setViewportSize(other);
        if (mainPages.test(path))
          assert.deepEqual(await accessibilityFaults(page), [], `${path} at ${other.width} px`);
        await assertFits(page, `${path} at ${other.width} px`);
      }
      await page.setViewportSize(size);
      await assertFits(page, path);
    }
  };

  // Concurrently, since each waits half a second for its network to be idle.
  describe('every page has no fault in light and dark, and does not jump', { concurrency: 2 }, () => {
    for (const viewport of [wide, narrow]) {
      test(`${viewport.width} px wide`, async () => {
        const page = await dashboard.newPage({ viewport });
        await assertFaultless(page, pagesBeforeSignIn);
        await page.goto('/login');
        await signIn(page, administrator);
        await page.waitForURL('**/organizations');
        await assertFaultless(page, pagesBehindSignIn);
      });
    }
  });

  describe('nothing that opens above a page has a fault in light or dark', { concurrency: 2 }, () => {
    for (const viewport of [wide, narrow]) {
      test(`${viewport.width} px wide`, async () => {
        const page = await dashboard.newPage({ viewport });
        const assertOpen = async (path: string, opener: Locator, role: 'dialog' | 'alertdialog' | 'menu') => {
          await page.goto(path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await opener.first().click();
          await page.getByRole(role).waitFor();
          assert.deepEqual(await faultsOf(page), [], `${path}: ${role}`);
          await assertFits(page, `${path}: ${role}`);
        };
        const button = (name: string | RegExp) => page.getByRole('button', { name });
        await page.goto('/login');
        await signIn(page, administrator);
        await page.waitForURL('**/organizations');
        if (viewport === wide) await assertOpen('/organizations', button('Administrator'), 'menu');
        else await assertOpen('/organizations', button('More'), 'dialog');
        await assertOpen('/organizations', button('New organization'), 'dialog');
        await assertOpen('/users', button('Create a user'), 'dialog');
        await assertOpen('/users', button('Actions on'), 'menu');
        await assertOpen(`${organization}/usage`, button('Export'), 'menu');
        await assertOpen(`${organization}/keys`, button('Create API Key'), 'dialog');
        await page.getByLabel('Name').fill(`to be looked at, ${viewport.width} px wide`);
        await page.getByRole('dialog').getByRole('button', { name: 'Create API Key', exact: true }).click();
        await page.getByTestId('secret').waitFor();
        assert.deepEqual(await faultsOf(page), [], 'the key that is shown once');
        await assertOpen(`${organization}/keys/${key.keyId}`, button('Rotate'), 'dialog');
        await assertOpen(`${organization}/keys/${key.keyId}`, button('Hand over'), 'alertdialog');
        await assertOpen(`${organization}/keys/${key.keyId}`, button('Revoke'), 'alertdialog');
        const request = page.getByRole('row').getByRole('button').first();
        await assertOpen(`${organization}/requests`, request, 'dialog');
        const model = page.getByRole('button', { name: services.models.default.served.model.name });
        await assertOpen(`${organization}/models`, model, 'dialog');
        await assertOpen(`${organization}/alerts?tab=rules`, button('Add a channel'), 'dialog');
        await assertOpen(`${organization}/alerts?tab=deliveries`, button('Show what was sent'), 'dialog');
        await assertOpen(`${organization}/members`, button('Invite a member'), 'dialog');
        await assertOpen(`${organization}/members`, button('Leave'), 'alertdialog');
        await assertOpen(`${organization}/settings`, button('Delete the organization'), 'alertdialog');
        await assertOpen(`${organization}/settings`, button('Purge cached vectors'), 'alertdialog');
        await page.getByRole('alertdialog').getByRole('button', { name: 'Purge' }).click();
        await messages(page).getByText('The cached vectors have been purged.').waitFor();
        assert.deepEqual(await faultsOf(page), [], 'a message');
        await assertOpen(`${organization}/plan`, button('Change the limit'), 'dialog');
        await page.getByLabel('Requests').fill('10');
        await page.getByRole('button', { name: 'Update plan' }).click();
        await page.getByRole('alertdialog', { name: /over quota/ }).waitFor();
        assert.deepEqual(
          await accessibilityFaults(page),
          [],
          'a limit that puts the organization over quota',
        );
        await page.goto(`${organization}/usage`);
        await page.getByLabel('Period', { exact: true }).selectOption('Custom…');
        await page.getByRole('dialog', { name: 'Custom period' }).waitFor();
        assert.deepEqual(await faultsOf(page), [], 'the days of a period');
        await page.goto(`${organization}/usage`);
        await page.getByRole('region', { name: 'Standing' }).waitFor();
        await page.keyboard.press('ControlOrMeta+k');
        await page.getByRole('combobox', { name: 'Search' }).fill('a');
        await page.getByRole('group', { name: 'Members' }).waitFor();
        assert.deepEqual(await faultsOf(page), [], 'the palette');
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.getByRole('heading', { level: 1 }).click();
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
        assert.deepEqual(await faultsOf(page), [], 'the list of shortcuts');
      });
    }
  });

  test('pages with a used-up quota or without the service have no fault in light or dark', async () => {
    const { used } = await services.ledger.readStanding(orgId);
    await services.organizations.setTier(orgId, 'enterprise', { amount: used, window: 'month' });
    const page = await dashboard.newPage();
    await page.clock.install();
    await page.goto(`${organization}/usage`);
    await signIn(page, administrator);
    await page.getByText(/^Over quota/).waitFor();
    await page.route('**/v1/**', (route) => route.abort());
    for (let n = 0; n < 3; n += 1) await page.clock.fastForward(31_000);
    await messages(page).getByText('The service can’t be reached.').waitFor();
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport);
      assert.deepEqual(await faultsOf(page), []);
      await assertFits(page, 'a page without the service');
    }
    await services.organizations.setTier(orgId, 'enterprise', { amount: 50, window: 'month' });
  });
});
