import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { askOf } from '../helpers/asks.ts';
import { TestClock } from '../helpers/clock.ts';
import { assertTrend, card, loadedCard } from './cards.ts';
import { withoutBrowser } from './chromium.ts';
import { type Dashboard, openDashboard, signIn, textOf } from './dashboard.ts';
import { accessibilityFaults } from './faults.ts';
import { layoutShift } from './layout-shift.ts';
import { seedOrganizations } from './seed-organizations.ts';

const longName = 'Long'.repeat(50);

describe('the list of organizations in unusual conditions', {
  skip: withoutBrowser,
}, () => {
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

  test('shows an error in the card concerned, and tries again on request', async () => {
    for (const part of ['usage?*', 'alerts?*']) {
      const details = `**/v1/organizations/${seeded.support.orgId}/${part}`;
      await page.route(details, (route) => route.abort());
      await page.goto('/organizations');
      await card(page, 'Support').scrollIntoViewIfNeeded();
      const failed = card(page, 'Support').getByRole('alert');
      await failed.getByText('The service did not respond.').waitFor();
      await assertTrend(await loadedCard(page, 'Storefront'), seeded.storefront);
      assert.equal(await page.getByRole('alert').count(), 1);
      // The rest has loaded.
      if (part === 'alerts?*') await assertTrend(card(page, 'Support'), seeded.support);
      else await card(page, 'Support').getByText('No open alerts').waitFor();
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
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [375, 1_024, 1_440]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto('/organizations');
        await page.getByRole('article').first().waitFor();
        await page.waitForLoadState('networkidle');
        const shift = await layoutShift(page);
        assert.ok(shift < 0.1, `jumps at ${width} while it loads: ${shift}`);
        for (const name of ['Default', 'Support', 'Storefront', 'Gateway', 'Archive', longName]) {
          await loadedCard(page, name);
        }
        await card(page, longName).getByRole('listitem').getByText('100%').waitFor();
        assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'), 0);
        assert.deepEqual(await accessibilityFaults(page), [], `${colorScheme} at ${width}`);
      }
    }
  });

  test('can be used with the keyboard alone, and leads to the usage page', async () => {
    await page.goto('/organizations');
    await loadedCard(page, 'Support');
    await page.getByRole('button', { name: 'New organization' }).focus();
    const reached: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      await page.keyboard.press('Tab');
      reached.push(await textOf(page.locator(':focus')));
    }
    assert.deepEqual(reached, ['Support', 'Alerts of Support', 'Storefront', 'Alerts of Storefront']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/organizations/${seeded.storefront.orgId}/usage`);
  });

  test('the browser reported no errors', () => {
    assert.deepEqual(dashboard.complaints, []);
  });
});
