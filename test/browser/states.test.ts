import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Route } from 'playwright-core';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
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
    for (const fail of [
      (route: Route) => route.abort(),
      (route: Route) => route.fulfill({ contentType: 'application/json', body: '{"data":[' }),
    ]) {
      await page.route(`**/v1${keysPath}?*`, fail);
      await page.goto(keysPath);
      await main().getByRole('alert').getByText('The service did not respond.').waitFor();
      await page.unroute(`**/v1${keysPath}?*`);
      await main().getByRole('button', { name: 'Try again' }).click();
      await firstKey().waitFor();
    }
  });

  test('loads what was refused because the session had ended, after another sign-in', async () => {
    await page.context().clearCookies();
    await page
      .getByRole('navigation', { name: 'Organization' })
      .getByRole('link', { name: 'Members' })
      .click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await signIn(page, dashboard.app.administrator);
    await page.getByRole('row', { name: /Administrator/ }).waitFor();
    assert.equal(new URL(page.url()).pathname, keysPath.replace('keys', 'members'));
  });

  test('reports a wrong password for a change, and keeps the session', async () => {
    await page.goto('/account');
    await page.getByRole('button', { name: 'Change: Password' }).click();
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await main().getByRole('alert').waitFor();
    assert.equal(new URL(page.url()).pathname, '/account');
  });
});

const refreshMs = 31_000;

describe('lists that others change', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const path = `/organizations/${dashboard.app.orgId}`;
  const page = await dashboard.newPage();
  await page.clock.install();
  await page.goto(`${path}/keys`);
  await signIn(page, dashboard.app.administrator);
  /** Throws unless the page shows this by itself. */
  const assertAppears = (row: Locator): Promise<void> =>
    eventuallyHolds(async () => {
      await page.clock.fastForward(refreshMs);
      assert.equal(await row.count(), 1);
    });

  test('show the requests of a key and when it was last used', async () => {
    await page.getByRole('row', { name: /first key.*Never/ }).waitFor();
    const { address, key } = dashboard.app;
    assert.equal((await requestEmbeddings(address, key, 'a text')).status, 200);
    await page.getByRole('row', { name: /first key.* 1 (just now|.* ago)/ }).waitFor();
  });

  test('show a new member and a new user', async () => {
    const { services, orgId } = dashboard.app;
    await page.goto(`${path}/members`);
    await page.getByRole('row', { name: /Administrator/ }).waitFor();
    const { user } = await services.users.create({ email: 'ada@example.com', name: 'Ada' });
    await services.members.add(orgId, user.userId, 'viewer');
    await assertAppears(page.getByRole('row', { name: /ada@example\.com/ }));
    await page.goto('/users');
    await page.getByRole('row', { name: /ada@example\.com/ }).waitFor();
    await services.users.create({ email: 'grace@example.com', name: 'Grace' });
    await assertAppears(page.getByRole('row', { name: /grace@example\.com/ }));
  });

  test('say that nobody is a member without claiming a search', async () => {
    const { orgId } = await dashboard.app.services.organizations.create({ name: 'Empty', tier: 'free' });
    await page.goto(`/organizations/${orgId}/members`);
    await page.getByText('No members yet. Invite the first one.').waitFor();
    assert.equal(await page.getByText('matches the search').count(), 0);
    assert.equal(await page.getByRole('table', { name: 'Members' }).count(), 0);
  });
});
