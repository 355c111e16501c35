import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { loadedCard } from './cards.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';

// One visit: each test continues where the one before it has ended.

describe('a user with a single organization', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, address, key } = dashboard.app;
  const usagePath = `/organizations/${orgId}/usage`;
  assert.equal((await requestEmbeddings(address, key, 'a text')).status, 200);
  const page = await dashboard.newPage();
  const logo = () => page.getByRole('banner').getByRole('link', { name: 'Embedgate' });
  const openNewOrganization = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Administrator' }).click();
    await page.getByRole('menuitem', { name: 'New organization…' }).click();
    await page.getByRole('dialog', { name: 'New organization' }).waitFor();
  };

  test('signs in and sees its usage, trend, keys and alerts at /organizations', async () => {
    await page.goto('/login');
    await signIn(page, dashboard.app.administrator);
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    const shown = await loadedCard(page, 'Default');
    await shown.getByText('1 of 10,000 requests').waitFor();
    await shown.getByText('1 request', { exact: true }).waitFor();
    await shown.getByRole('listitem').getByText('first key').waitFor();
    await shown.getByText('No open alerts').waitFor();
    assert.equal(new URL(page.url()).pathname, '/organizations');
  });

  test('opens the usage page and follows the logo back', async () => {
    await page.getByRole('link', { name: 'Default', exact: true }).click();
    await page.waitForURL(`**${usagePath}`);
    await page.getByText('1 of 10,000 requests').waitFor();
    await logo().click();
    await page.waitForURL('**/organizations');
    await loadedCard(page, 'Default');
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
    await page.getByRole('main').getByRole('link', { name: 'Organizations' }).click();
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
    await page.waitForURL('**/organizations');
    await page.getByRole('article', { name: 'Second' }).waitFor({ state: 'detached' });
    await loadedCard(page, 'Default');
  });
});
