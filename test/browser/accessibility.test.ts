import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { accessibilityFaults, layoutShift } from './faults.ts';
import { organizationPages, pagesBeforeSignIn, pagesOfEverybody } from './pages.ts';
import { seedAlert, seedPeople, seedTargets } from './seed.ts';

const wide = { width: 1_120, height: 800 };
const narrow = { width: 375, height: 800 };

describe('every page for every role', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  await seedPeople(dashboard.app);
  await seedTargets(dashboard.app, 'https://hooks.invalid/first');
  await seedAlert(dashboard.app);
  const assertFaultless = async (page: Page, path: string): Promise<void> => {
    await page.setViewportSize(wide);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const shift = await layoutShift(page);
    assert.ok(shift < 0.1, `${path} jumps while it loads: ${shift}`);
    if (path.endsWith('/playground')) await page.getByRole('button', { name: 'Embed' }).click();
    assert.deepEqual(await accessibilityFaults(page), [], path);
    await page.setViewportSize(narrow);
    const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.equal(tooWide, 0, `${path} is wider than a phone`);
  };

  // Concurrently, since each waits half a second for its network to be idle.
  describe('every page without serious faults, on a phone too', { concurrency: 2 }, () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(colorScheme, async () => {
        const page = await dashboard.newPage({ colorScheme });
        for (const path of pagesBeforeSignIn) await assertFaultless(page, path);
        await page.goto('/login');
        await signIn(page, dashboard.app.administrator);
        await page.waitForURL('**/organizations');
        const ofOrganization = organizationPages.map(
          (name) => `/organizations/${dashboard.app.orgId}/${name}`,
        );
        for (const path of [...pagesOfEverybody, ...ofOrganization]) await assertFaultless(page, path);
      });
    }
  });

  test('dialogs and menus have no serious fault', async () => {
    const page = await dashboard.newPage({ colorScheme: 'dark' });
    const assertOpen = async (path: string, button: string, role: 'dialog' | 'alertdialog' | 'menu') => {
      await page.goto(path);
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole(role).waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], `${path}: ${button}`);
    };
    await page.goto('/login');
    await signIn(page, dashboard.app.administrator);
    await page.waitForURL('**/organizations');
    const organization = `/organizations/${dashboard.app.orgId}`;
    await assertOpen('/organizations', 'Administrator', 'menu');
    await assertOpen('/organizations', 'New organization', 'dialog');
    await assertOpen('/users', 'Create a user', 'dialog');
    await assertOpen(`${organization}/keys`, 'Create API Key', 'dialog');
    await page.getByLabel('Name').fill('to be looked at');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API Key', exact: true }).click();
    await page.getByTestId('secret').waitFor();
    assert.deepEqual(await accessibilityFaults(page), [], 'the key that is shown once');
    await assertOpen(`${organization}/keys`, 'Actions on', 'menu');
    await assertOpen(`${organization}/alerts`, 'Add a channel', 'dialog');
    await assertOpen(`${organization}/alerts`, 'Show what was sent', 'dialog');
    await assertOpen(`${organization}/members`, 'Invite a member', 'dialog');
    await assertOpen(`${organization}/members`, 'Leave', 'alertdialog');
    await assertOpen(`${organization}/settings`, 'Purge cached vectors', 'alertdialog');
    await assertOpen(`${organization}/settings`, 'Delete the organization', 'alertdialog');
    await page.goto(`${organization}/settings`);
    await page.getByLabel('Limit', { exact: true }).fill('10');
    await page.getByRole('button', { name: 'Update tier' }).click();
    await page.getByRole('alertdialog', { name: /over quota/ }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), [], 'a tier that puts the organization over quota');
  });

  describe('pages with a used-up quota or without the service', () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(colorScheme, async () => {
        const { orgId, services, administrator } = dashboard.app;
        const { used } = await services.ledger.readStanding(orgId);
        await services.organizations.setTier(orgId, 'enterprise', { amount: used, window: 'month' });
        const page = await dashboard.newPage({ colorScheme });
        await page.clock.install();
        await page.goto(`/organizations/${orgId}/usage`);
        await signIn(page, administrator);
        await page.getByText(/^Over quota/).waitFor();
        await page.route('**/v1/**', (route) => route.abort());
        for (let n = 0; n < 3; n += 1) await page.clock.fastForward(31_000);
        await page.getByText('The service can’t be reached.').waitFor();
        for (const viewport of [wide, narrow]) {
          await page.setViewportSize(viewport);
          assert.deepEqual(await accessibilityFaults(page), []);
          const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          assert.equal(tooWide, 0);
        }
        await services.organizations.setTier(orgId, 'enterprise', { amount: 50, window: 'month' });
      });
    }
  });

  test('the keyboard alone signs in, creates a key, and closes what it has opened', async () => {
    const page = await dashboard.newPage();
    const { email, password } = dashboard.app.administrator;
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const tabTo = async (name: string): Promise<void> => {
      for (let i = 0; i < 40; i += 1) {
        await press('Tab');
        const label = await page.evaluate<string>('document.activeElement.textContent');
        if (label === name) return;
      }
      assert.fail(`${name} can't be reached`);
    };
    await page.goto(`/organizations/${dashboard.app.orgId}/keys`);
    await page.getByLabel('Email').waitFor();
    await page.keyboard.type(email);
    await press('Tab');
    await page.keyboard.type(password);
    await press('Enter');
    await page.getByRole('button', { name: 'Create API Key' }).waitFor();
    await tabTo('Create API Key');
    await press('Enter');
    await page.keyboard.type('by keyboard');
    await press('Enter');
    await page.getByTestId('secret').waitFor();
    await tabTo('I’ve saved my key');
    await press('Enter');
    await page.getByRole('row', { name: /by keyboard/ }).waitFor();
    await tabTo('…');
    const focused = (name: string): Promise<void> =>
      page.getByRole('menuitem', { name, exact: true }).and(page.locator(':focus')).waitFor();
    await press('Enter');
    await focused('Limits…');
    await press('ArrowDown');
    await focused('Rotate…');
    await press('Escape');
    // The menu gives the focus back a moment after it has gone.
    await page.waitForFunction("document.activeElement.textContent === '…'");
    await press('Shift+Tab', 'Enter');
    await page.getByRole('alertdialog').waitFor();
    await press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  });
});
