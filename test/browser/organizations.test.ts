import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Browser } from '../helpers/browser.ts';
import { TestClock } from '../helpers/clock.ts';
import { assertTrend, counts, loadedCard, shares } from './cards.ts';
import { withoutBrowser } from './chromium.ts';
import { type Dashboard, openDashboard, signIn } from './dashboard.ts';
import { seedOrganizations } from './seed-organizations.ts';

describe('the overview of several organizations', { skip: withoutBrowser }, () => {
  let dashboard: Dashboard;
  let page: Page;
  let seeded: Awaited<ReturnType<typeof seedOrganizations>>;
  before(async () => {
    const clock = new TestClock(new Date().toISOString());
    dashboard = await openDashboard({ clock });
    seeded = await seedOrganizations(dashboard.app, clock);
    page = await dashboard.newPage();
    await page.goto('/organizations');
    await signIn(page, dashboard.app.administrator);
    await page.waitForURL('**/organizations');
  });
  after(() => dashboard?.[Symbol.asyncDispose]());

  test('shows tier, usage, trend, the most active keys and the absence of alerts', async () => {
    const shown = await loadedCard(page, 'Support');
    await shown.getByText('scale', { exact: true }).waitFor();
    await shown.getByText('This month', { exact: true }).waitFor();
    await shown.getByText(/^[\d,]+ of 1,000,000 requests$/).waitFor();
    await shown.getByText(/^Resets in \d+ (day|hour|minute)/).waitFor();
    await assertTrend(shown, seeded.support);
    const { byKey, last } = seeded.support;
    const expected = ['search indexer', 'website', 'Playground'].map(
      (name) => name + shares.format((byKey[name] ?? 0) / last),
    );
    assert.deepEqual(await shown.getByRole('listitem').allTextContents(), expected);
    await shown.getByText('No open alerts').waitFor();
  });

  test('shows the most serious alert of an organization over its quota, with a link to all of them', async () => {
    const shown = await loadedCard(page, 'Storefront');
    const owner = await new Browser(dashboard.app.address).signIn(dashboard.app.administrator);
    const path = `/v1/organizations/${seeded.storefront.orgId}`;
    const { quota } = await owner.ask<{ quota: { used: number; limit: number } }>(200, 'GET', path);
    const { data: alerts } = await owner.ask<{ data: unknown[] }>(200, 'GET', `${path}/alerts`);
    assert.ok(quota.used > quota.limit);
    await shown.getByText(`${shares.format(quota.used / quota.limit)} of the quota`).waitFor();
    await shown.getByText(`${counts.format(quota.used)} of ${counts.format(quota.limit)} requests`).waitFor();
    await shown.getByText(`The quota of the month is used up, and ${alerts.length - 1} more open`).waitFor();
    await shown.getByRole('link', { name: 'Alerts of Storefront' }).click();
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
    await archive.getByText('Unlimited', { exact: true }).waitFor();
    await archive.getByText(/^[\d,]+ requests, unlimited$/).waitFor();
    await assertTrend(archive, seeded.archive);
  });

  test('shows that an organization has not been used', async () => {
    const shown = await loadedCard(page, 'Default');
    await shown.getByText('0 of 10,000 requests').waitFor();
    await shown.getByText('0 requests', { exact: true }).waitFor();
    await shown.getByText('None in the 28 days before').waitFor();
    await shown.getByText('No key was used in this period.').waitFor();
    assert.match(
      (await shown.getByRole('img').getAttribute('aria-label')) ?? '',
      /^No requests were counted/,
    );
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
    await storefront.getByText(/^The quota of the month is used up, and \d more open$/).waitFor();
    assert.equal(await hers.getByRole('article').count(), 2);
    assert.equal(await hers.getByRole('button', { name: 'New organization' }).count(), 0);
    await hers.getByRole('button', { name: 'Grace' }).click();
    await hers.getByRole('menuitem', { name: 'Account' }).waitFor();
    assert.equal(await hers.getByRole('menuitem', { name: 'New organization…' }).count(), 0);
  });

  test('shows that an organization is over its quota even when its alerts are acknowledged', async () => {
    const owner = await new Browser(dashboard.app.address).signIn(dashboard.app.administrator);
    const path = `/v1/organizations/${seeded.storefront.orgId}/alerts`;
    const { data } = await owner.ask<{ data: { alert_id: string }[] }>(200, 'GET', path);
    for (const { alert_id } of data) await owner.ask(200, 'POST', `${path}/${alert_id}/acknowledge`);
    await page.goto('/organizations');
    const shown = await loadedCard(page, 'Storefront');
    await shown.getByText('Over quota: requests are refused until the reset').waitFor();
  });

  test('the browser reported no errors', () => {
    assert.deepEqual(dashboard.complaints, []);
  });
});
