import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askOf } from '../helpers/asks.ts';
import { Browser } from '../helpers/browser.ts';
import { TestClock } from '../helpers/clock.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { assertTrend, card, counts, loadedCard } from './cards.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, textOf } from './dashboard.ts';
import { accessibilityFaults, faultsOfThemes, layoutShift, maxShift } from './faults.ts';
import { seedOrganizations } from './seed-organizations.ts';

const longName = 'Long'.repeat(50);

describe('the list of several organizations', { skip: withoutBrowser }, async () => {
  const clock = new TestClock(new Date().toISOString());
  const dashboard = untilEnd(await openDashboard({ clock }));
  const seeded = await seedOrganizations(dashboard.app, clock);
  const page = await dashboard.newPage();
  await page.goto('/organizations');
  await signIn(page, dashboard.app.administrator);
  await page.waitForURL('**/organizations');

  test('shows tier, usage, trend, the most active keys and the absence of alerts', async () => {
    const shown = await loadedCard(page, 'Support');
    await shown.getByText('Scale', { exact: true }).waitFor();
    await shown.getByText('This month', { exact: true }).waitFor();
    await shown.getByText(/^[\d,]+ of 1,000,000 requests$/).waitFor();
    await shown.getByText(/^Resets in \d+ (day|hour|minute)/).waitFor();
    await assertTrend(shown, seeded.support);
    const expected = ['search indexer', 'website', 'nightly batch'].map(
      (name) => name + counts.format(seeded.support.byKey[name] ?? 0),
    );
    assert.deepEqual(await shown.getByRole('listitem').allTextContents(), expected);
    await shown.getByText('No open alerts').waitFor();
  });

  test('shows the most serious alert of an organization over its quota, with a link to all of them', async () => {
    const shown = await loadedCard(page, 'Storefront');
    const owner = await new Browser(dashboard.app.address).signIn(dashboard.app.administrator);
    const path = `/v1/organizations/${seeded.storefront.orgId}`;
    const { quota } = await owner.ask<{ quota: { used: number; limit: number } }>(200, 'GET', path);
    assert.ok(quota.used > quota.limit);
    await shown.getByText('Over quota', { exact: true }).waitFor();
    await shown.getByText(`${counts.format(quota.used)} of ${counts.format(quota.limit)} requests`).waitFor();
    await shown.getByRole('link', { name: 'The quota of the month is used up', exact: true }).click();
    await page.waitForURL(`**/organizations/${seeded.storefront.orgId}/alerts`);
    await page.goBack();
  });

  test('shows a limit per second in its own window, and an unlimited organization, both with their trends', async () => {
    const gateway = await loadedCard(page, 'Gateway');
    await gateway.getByText('Rate limit', { exact: true }).waitFor();
    await gateway.getByText('Resets every second').waitFor();
    await gateway.getByText('25 requests per second').waitFor();
    await assertTrend(gateway, seeded.gateway);
    const archive = await loadedCard(page, 'Archive');
    await archive.getByText(/^[\d,]+ requests, unlimited$/).waitFor();
    await assertTrend(archive, seeded.archive);
  });

  test('shows that an organization has not been used', async () => {
    const shown = await loadedCard(page, 'Default');
    await shown.getByText('0 of 10,000 requests').waitFor();
    assert.deepEqual(await shown.getByRole('listitem').allTextContents(), ['first key0']);
  });

  test('shows viewers the usage and the alerts of their organizations', async () => {
    const owner = await new Browser(dashboard.app.address).signIn(dashboard.app.administrator);
    const viewer = { email: 'grace@example.com', password: 'correct horse battery' };
    for (const { orgId } of [seeded.support, seeded.storefront]) {
      const invitation = { email: viewer.email, role: 'viewer' };
      const path = `/v1/organizations/${orgId}/invitations`;
      const { url } = await owner.ask<{ url: string }>(201, 'POST', path, invitation);
      const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
      const isNew = orgId === seeded.support.orgId;
      const browser = new Browser(dashboard.app.address);
      const grace = isNew ? browser : await browser.signIn(viewer);
      const account = isNew ? { name: 'Grace', password: viewer.password } : {};
      await grace.ask(200, 'POST', '/v1/invitations/accept', { token, ...account });
    }
    const hers = await dashboard.newPage();
    await hers.goto('/login');
    await signIn(hers, viewer);
    await hers.waitForURL('**/organizations');
    await assertTrend(await loadedCard(hers, 'Support'), seeded.support);
    const storefront = await loadedCard(hers, 'Storefront');
    await storefront.getByRole('link', { name: 'The quota of the month is used up', exact: true }).waitFor();
    assert.equal(await hers.getByRole('article').count(), 2);
    assert.equal(await hers.getByRole('button', { name: 'New organization' }).count(), 0);
  });

  test('shows that an organization is over its quota even when its alerts are acknowledged', async () => {
    const owner = await new Browser(dashboard.app.address).signIn(dashboard.app.administrator);
    const path = `/v1/organizations/${seeded.storefront.orgId}/alerts`;
    const { data } = await owner.ask<{ data: { alert_id: string }[] }>(200, 'GET', path);
    for (const { alert_id } of data) await owner.ask(200, 'POST', `${path}/${alert_id}/acknowledge`);
    await page.goto('/organizations');
    const shown = await loadedCard(page, 'Storefront');
    await shown.getByText('Over quota', { exact: true }).waitFor();
    await shown.getByText('No open alerts').waitFor();
  });

  test('shows an error in the card concerned, and tries again on request', async () => {
    for (const part of ['keys?*', 'alerts?*']) {
      const details = `**/v1/organizations/${seeded.support.orgId}/${part}`;
      await page.route(details, (route) => route.abort());
      await page.goto('/organizations');
      await card(page, 'Support').scrollIntoViewIfNeeded();
      const failed = card(page, 'Support').getByRole('alert');
      await failed.getByText('The service did not respond.').waitFor();
      await assertTrend(await loadedCard(page, 'Storefront'), seeded.storefront);
      assert.equal(await page.getByRole('alert').count(), 1);
      await assertTrend(card(page, 'Support'), seeded.support);
      await page.unroute(details);
      await failed.getByRole('button', { name: 'Try again' }).click();
      await assertTrend(await loadedCard(page, 'Support'), seeded.support);
      await card(page, 'Support').getByText('No open alerts').waitFor();
    }
  });

  test('shows that the list is loading, then an error, and tries again on request', async () => {
    const list = '**/v1/organizations?*';
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(list, async (route) => {
      await released;
      await route.abort();
    });
    await page.goto('/organizations');
    await page.getByText('Loading…').first().waitFor();
    release();
    await page.getByRole('main').getByRole('alert').getByText('The service did not respond.').waitFor();
    await page.unroute(list);
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await loadedCard(page, 'Support');
  });

  test('has no fault in light and dark, does not jump, and fits its window with long names', async () => {
    const { keys, ledger, organizations } = dashboard.app.services;
    const { userId } = dashboard.app.administrator;
    const { orgId } = await organizations.create({ name: longName, tier: 'free' });
    const { key } = await keys.create({ orgId, userId, name: longName });
    await ledger.reserve(orgId, askOf(key.keyId));
    for (const width of [375, 1_024, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/organizations');
      await page.getByRole('article').first().waitFor();
      await page.waitForLoadState('networkidle');
      const shift = await layoutShift(page);
      assert.ok(shift <= maxShift, `jumps at ${width} while it loads: ${shift}`);
      for (const name of ['Default', 'Support', 'Storefront', 'Gateway', 'Archive', longName]) {
        await loadedCard(page, name);
      }
      await card(page, longName).getByRole('listitem').getByText('1', { exact: true }).waitFor();
      assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'), 0);
      // The themes differ in colors alone, which all widths share.
      const faultsOf = width === 1_440 ? faultsOfThemes : accessibilityFaults;
      assert.deepEqual(await faultsOf(page), [], `at ${width}`);
    }
  });

  test('can be used with the keyboard alone, and leads to the usage page', async () => {
    await page.goto('/organizations');
    await loadedCard(page, 'Support');
    await page.getByRole('button', { name: 'New organization' }).focus();
    const reached: string[] = [];
    for (let i = 0; i < 6; i += 1) {
      await page.keyboard.press('Tab');
      reached.push(await textOf(page.locator(':focus')));
    }
    assert.deepEqual(reached, [
      'Support',
      'search indexer',
      'website',
      'nightly batch',
      'No open alerts',
      'Storefront',
    ]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/organizations/${seeded.storefront.orgId}/usage`);
  });
});

// One visit: each test continues where the one before it has ended.

describe('a user with a single organization', { skip: withoutBrowser }, async () => {
  const dashboard = untilEnd(await openDashboard());
  const { orgId, address, key } = dashboard.app;
  const usagePath = `/organizations/${orgId}/usage`;
  assert.equal((await requestEmbeddings(address, key, 'a text')).status, 200);
  const page = await dashboard.newPage();
  const switcher = () => page.getByRole('button', { name: /, switch organization$/ });
  const openNewOrganization = async (): Promise<void> => {
    await switcher().click();
    await page.getByRole('option', { name: 'New organization…' }).click();
    await page.getByRole('dialog', { name: 'New organization' }).waitFor();
  };

  test('signs in and sees its usage, history, keys and alerts at /organizations', async () => {
    await page.goto('/login');
    await signIn(page, dashboard.app.administrator);
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.getByText('of 10,000 requests').waitFor();
    await page.getByRole('application', { name: /^Requests by period/ }).waitFor();
    await page
      .getByRole('table', { name: 'Usage by key' })
      .getByRole('row', { name: /^first key/ })
      .waitFor();
    await page
      .getByRole('navigation', { name: 'Usage in detail' })
      .getByRole('link', { name: 'Alerts' })
      .click();
    await page.getByText('No open alerts.').waitFor();
    assert.equal(new URL(page.url()).pathname, '/organizations');
  });

  test('opens the dialog for a new organization from any page, and gets the focus back when it closes', async () => {
    for (const path of ['/account', usagePath]) {
      await page.goto(path);
      await openNewOrganization();
      assert.deepEqual(await accessibilityFaults(page), [], path);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await switcher().and(page.locator(':focus')).waitFor();
    }
  });

  test('creates a second organization, and then has a list of both', async () => {
    await openNewOrganization();
    await page.keyboard.type('Second');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Second ?, switch/ }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .getByRole('navigation', { name: 'Service' })
      .getByRole('link', { name: 'Organizations' })
      .click();
    await page.waitForURL('**/organizations');
    await page.getByRole('article').nth(1).waitFor();
    assert.equal(await page.getByRole('article').count(), 2);
  });

  test('goes to the other one by its name', async () => {
    await switcher().click();
    await page.keyboard.type('defau');
    await page.getByRole('option', { name: 'Default', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${usagePath}`);
    await page.getByRole('button', { name: /^Default ?, switch/ }).waitFor();
    await page.goto('/organizations');
  });

  test('has a single one again when the other is deleted', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Second', exact: true }).click();
    await page
      .getByRole('navigation', { name: 'Organization' })
      .getByRole('link', { name: 'Settings' })
      .click();
    await page.getByRole('button', { name: 'Delete the organization' }).click();
    await page.getByLabel('Type “Second” to confirm').fill('Second');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/organizations');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Default ?, switch/ }).waitFor();
  });
});
