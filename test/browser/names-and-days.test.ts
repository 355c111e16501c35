import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { allRows } from '../../src/lib/page.ts';
import { askOf } from '../helpers/asks.ts';
import { TestClock } from '../helpers/clock.ts';
import { eventually, eventuallyHolds } from '../helpers/eventually.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn } from './dashboard.ts';
import { raiseAlerts, seedTargets } from './seed.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const usedDaysAgo = 3;
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

describe('the names of people, keys, days and months', { skip: withoutBrowser }, async () => {
  // Three days ago, if the day before that was in another month: the quota begins again with each. At noon, since
  // forecasts need some hours before that.
  const shiftMs = new Date().getUTCDate() <= usedDaysAgo ? usedDaysAgo * dayMs : 0;
  const nowMs = Math.floor((Date.now() - shiftMs) / dayMs) * dayMs + dayMs / 2;
  const clock = new TestClock(new Date(nowMs).toISOString());
  const dashboard = untilEnd(await openDashboard({ clock }));
  const { orgId, services, administrator } = dashboard.app;
  const path = `/organizations/${orgId}`;
  clock.advance(-usedDaysAgo * dayMs);
  for (let n = 0; n < 9; n += 1) await services.ledger.reserve(orgId, askOf('a key'));
  clock.nowMs = nowMs;
  const page = await dashboard.newPage({ timezoneId: 'America/Los_Angeles' });
  await page.clock.install({ time: nowMs });
  await page.goto(`${path}/usage`);
  await signIn(page, administrator);
  await page.getByText('of 10,000 requests').waitFor();

  test('say that days are those of UTC, whatever the reader’s time zone', async () => {
    await page.getByText('Show as a table').click();
    const table = page.getByRole('table', { name: 'Requests by period' });
    await table.getByRole('columnheader', { name: 'Period (UTC)' }).waitFor();
    const day = shortDay.format(nowMs - usedDaysAgo * dayMs);
    await table.getByRole('row', { name: `${day} 9 0 0`, exact: true }).waitFor();
  });

  test('show months on the chart that cannot be read as days', async () => {
    await page.getByLabel('Period', { exact: true }).selectOption('last-12-months');
    const names = page.getByRole('application').locator('[data-axis=x]');
    await names.last().getByText('This month').waitFor();
    for (const name of (await names.allTextContents()).slice(0, -1)) {
      assert.match(name, /^[A-Z][a-z]{2} \d{4}$/);
    }
  });

  test('show no name of an administrator who is not a member on their key', async () => {
    const { users, keys, members } = dashboard.app.services;
    const { orgId } = dashboard.app;
    const { user: root } = await users.create({ email: 'root@example.com', name: 'Rooty', isAdmin: true });
    await keys.create({ orgId, userId: root.userId, name: 'website' });
    const { user, password } = await users.create({ email: 'vera@example.com' });
    await members.add(orgId, user.userId, 'viewer');
    const viewer = await dashboard.newPage();
    await viewer.goto(`${path}/keys`);
    await signIn(viewer, { email: user.email, password });
    await viewer.getByRole('link', { name: 'website' }).click();
    await viewer.getByRole('definition').filter({ hasText: 'by The operator' }).waitFor();
  });

  test('show which key a key replaces, and until when the old one works', async () => {
    const { keys } = dashboard.app.services;
    const old = (await allRows((page) => keys.list(dashboard.app.orgId, page))).find(
      ({ name }) => name === 'website',
    );
    assert.ok(old);
    const { key } = await keys.rotate(old.keyId, dayMs);
    await page.goto(`${path}/keys`);
    const replaced = page.getByRole('row', { name: /website/ }).filter({ hasText: old.hint });
    await replaced.getByText('Expires soon').waitFor();
    // The end is in UTC for everyone, since the field that changes it is.
    await replaced.getByTitle(/ \d\d:\d\d UTC$/).waitFor();
    await replaced.getByRole('link', { name: 'website' }).click();
    const rotations = page.getByRole('definition').filter({ has: page.getByRole('list') });
    await eventuallyHolds(async () =>
      assert.deepEqual(await rotations.getByRole('link').allTextContents(), [old.hint, key.hint]),
    );
    await rotations.getByRole('link', { name: key.hint }).click();
    await page.waitForURL(`**/keys/${key.keyId}`);
    await page.getByRole('definition').filter({ hasText: key.keyId }).waitFor();
  });

  test('show the dates of a forecast and of the next try whole', async () => {
    const { orgId, services } = dashboard.app;
    await services.organizations.setTier(orgId, 'enterprise', { amount: 10, window: 'month' });
    await seedTargets(dashboard.app, 'https://hooks.invalid/first');
    // Forecasts are made once an hour. The second attempt is the first one with a wait.
    clock.advance(2 * hourMs);
    // The sweep that the service makes by itself may have raised the thresholds, but not yet the forecast.
    await eventually(async () => {
      await raiseAlerts(dashboard.app, orgId);
      const raised = await allRows((page) => services.alerting.alerts.list(orgId, page));
      return raised.some(({ kind }) => kind === 'projection');
    });
    services.alerting.deliverer.kick();
    await services.alerting.deliverer.idle();
    await page.goto(`${path}/alerts`);
    const assertWhole = async (text: Locator): Promise<void> => {
      await text.waitFor();
      const cutPx = await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.equal(cutPx, 0, (await text.textContent()) ?? undefined);
    };
    await assertWhole(page.getByRole('row').getByText(/^At this rate you’ll reach your limit on .* \d{4}$/));
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await assertWhole(
      page
        .getByRole('row')
        .getByText(/^\d attempts?\. Next in \d+ min\.$/)
        .first(),
    );
  });
});
