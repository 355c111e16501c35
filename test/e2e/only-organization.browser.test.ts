import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from './chromium.ts';
import { type Dashboard, openDashboard, signIn, textOf } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';

// Records each heading that the page ever had, however briefly.
const noteHeadings = `
globalThis.headings = [];
new MutationObserver(() => {
  const text = document.querySelector('h1')?.textContent;
  if (text && globalThis.headings.at(-1) !== text) globalThis.headings.push(text);
}).observe(document, { childList: true, subtree: true, characterData: true });`;

// One visit: each test continues where the one before it has ended.

describe('a user with a single organization', { skip: withoutBrowser }, () => {
  let dashboard: Dashboard;
  let page: Page;
  let usagePath: string;
  before(async () => {
    dashboard = await openDashboard();
    usagePath = `/organizations/${dashboard.app.orgId}/usage`;
    page = await dashboard.newPage();
    await page.addInitScript(noteHeadings);
  });
  after(() => dashboard?.[Symbol.asyncDispose]());
  const logo = () => page.getByRole('banner').getByRole('link', { name: 'Embedgate' });
  const crumb = () => page.getByRole('main').getByRole('link', { name: 'Organizations' });
  const assertNoList = async (): Promise<void> => {
    const headings = await page.evaluate<string[]>('globalThis.headings');
    assert.equal(headings.at(-1), 'Default');
    assert.ok(!headings.includes('Organizations'), headings.join(', '));
  };
  const historyLength = () => page.evaluate<number>('history.length');
  const usageIsShown = async (): Promise<void> => {
    await page.waitForURL(`**${usagePath}`);
    await page.getByText('0 of 10,000 requests').waitFor();
  };
  const openNewOrganization = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Administrator' }).click();
    await page.getByRole('menuitem', { name: 'New organization…' }).click();
    await page.getByRole('dialog', { name: 'New organization' }).waitFor();
  };

  test('signs in and is at its usage, without a flash of the list', async () => {
    await page.goto('/login');
    await signIn(page, dashboard.app.administrator);
    await usageIsShown();
    await assertNoList();
    assert.equal(await crumb().count(), 0);
  });

  test('opens the list’s address and is at the usage, and Back returns to the previous page', async () => {
    await page.goto('/account');
    await page.getByRole('heading', { name: 'Administrator', level: 1 }).waitFor();
    await page.goto('/organizations');
    await usageIsShown();
    await assertNoList();
    await page.goBack();
    await page.waitForURL('**/account');
  });

  test('follows the logo to the usage in one step, there and back', async () => {
    await page.getByRole('heading', { name: 'Administrator', level: 1 }).waitFor();
    await logo().click();
    await usageIsShown();
    const length = await historyLength();
    await logo().click();
    await usageIsShown();
    assert.equal(await historyLength(), length);
    await page.goBack();
    await page.waitForURL('**/account');
    await page.goForward();
    await usageIsShown();
  });

  test('is redirected from an unknown page to the usage, and Back returns to that page', async () => {
    await page.goto('/organizations/none/usage');
    await page.getByRole('link', { name: 'your organizations' }).click();
    await usageIsShown();
    await page.goBack();
    await page.waitForURL('**/organizations/none/usage');
    await page.goForward();
    await usageIsShown();
  });

  test('opens the dialog for a new organization from any page, and gets the focus back when it closes', async () => {
    for (const path of ['/account', usagePath]) {
      await page.goto(path);
      await openNewOrganization();
      assert.deepEqual(await accessibilityFaults(page), [], path);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Administrator' }).and(page.locator(':focus')).waitFor();
    }
  });

  test('creates a second organization, and then has a list of both', async () => {
    await openNewOrganization();
    await page.keyboard.type('Second');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Second', level: 1 }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await crumb().click();
    await page.waitForURL('**/organizations');
    await page.getByRole('article', { name: 'Default' }).getByText('0 of 10,000 requests').waitFor();
    await page.getByRole('link', { name: 'Second', exact: true }).click();
    await page.waitForURL('**/usage');
    await logo().click();
    await page.waitForURL('**/organizations');
    await page.getByRole('article').nth(1).waitFor();
    assert.equal(await page.getByRole('article').count(), 2);
  });

  test('has a single one again when the other is deleted', async () => {
    await page.getByRole('link', { name: 'Second', exact: true }).click();
    await page
      .getByRole('navigation', { name: 'Organization' })
      .getByRole('link', { name: 'Settings' })
      .click();
    await page.getByRole('button', { name: 'Delete the organization' }).click();
    await page.getByLabel('Type “Second” to confirm').fill('Second');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await usageIsShown();
    assert.equal(await textOf(page.getByRole('heading', { level: 1 })), 'Default');
    assert.equal(await crumb().count(), 0);
  });

  test('the browser reported no errors', () => {
    assert.deepEqual(dashboard.complaints, []);
  });
});
