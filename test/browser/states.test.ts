import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from './chromium.ts';
import { type Dashboard, openDashboard, signIn } from './dashboard.ts';

describe('a page whose responses are slow, fail or are refused', { skip: withoutBrowser }, () => {
  let dashboard: Dashboard;
  let page: Page;
  let keysPath: string;
  before(async () => {
    dashboard = await openDashboard();
    keysPath = `/organizations/${dashboard.app.orgId}/keys`;
    page = await dashboard.newPage();
    await page.goto(keysPath);
    await signIn(page, dashboard.app.administrator);
    await firstKey().waitFor();
  });
  after(() => dashboard?.[Symbol.asyncDispose]());
  const firstKey = () => page.getByRole('row', { name: /first key/ });
  const main = () => page.getByRole('main');

  test('shows that it is loading until the response arrives', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/v1${keysPath}?*`, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(keysPath);
    await main().getByRole('status').getByText('Loading…').waitFor();
    assert.equal(await firstKey().count(), 0);
    release();
    await firstKey().waitFor();
    await page.unroute(`**/v1${keysPath}?*`);
  });

  test('shows what went wrong, and tries again on request', async () => {
    await page.route(`**/v1${keysPath}?*`, (route) => route.abort());
    await page.goto(keysPath);
    await main().getByRole('alert').getByText('The service did not respond.').waitFor();
    await page.unroute(`**/v1${keysPath}?*`);
    await main().getByRole('button', { name: 'Try again' }).click();
    await firstKey().waitFor();
  });

  test('leads to the sign-in when the session has ended, and back again', async () => {
    await page.context().clearCookies();
    await page
      .getByRole('navigation', { name: 'Organization' })
      .getByRole('link', { name: 'Members' })
      .click();
    await page.waitForURL('**/login?next=*');
    await signIn(page, dashboard.app.administrator);
    await page.waitForURL('**/members');
    await page.getByRole('row', { name: /Administrator/ }).waitFor();
  });

  test('reports a wrong password for a change, and keeps the session', async () => {
    await page.goto('/account');
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await main().getByRole('alert').waitFor();
    assert.equal(new URL(page.url()).pathname, '/account');
  });

  test('the browser reported no errors', () => {
    assert.deepEqual(dashboard.complaints, []);
  });
});
