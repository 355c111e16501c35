import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';

describe('a page whose responses are slow, fail or are refused', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const keysPath = `/organizations/${dashboard.app.orgId}/keys`;
  const page = await dashboard.newPage();
  await page.goto(keysPath);
  await signIn(page, dashboard.app.administrator);
  const firstKey = () => page.getByRole('row', { name: /first key/ });
  await firstKey().waitFor();
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
});
