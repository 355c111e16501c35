import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { TestClock } from '../helpers/clock.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { openDashboard, signIn, textOf } from './dashboard.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const dayIn = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

describe('time, for people in other zones and with wrong clocks', { skip: withoutBrowser }, async () => {
  // 20:30 UTC of the day before: in Kolkata, the next day has begun.
  const today = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
  const nowMs = today + 20.5 * hourMs;
  const clock = new TestClock(new Date(nowMs).toISOString());
  const dashboard = untilEnd(await openDashboard({ clock }));
  const { orgId, address, key, administrator, services } = dashboard.app;
  clock.advance(-28 * hourMs);
  for (const text of ['a', 'b', 'a']) await requestEmbeddings(address, key, text);
  clock.advance(27 * hourMs);
  await requestEmbeddings(address, key, 'c');
  clock.nowMs = nowMs;
  const usage = `/organizations/${orgId}/usage`;
  const openIn = async (timezoneId: string, pageMs: number, path: string): Promise<Page> => {
    const page = await dashboard.newPage({ timezoneId });
    await page.clock.install({ time: pageMs });
    await page.goto(path);
    await signIn(page, administrator);
    return page;
  };
  const page = await openIn('Asia/Kolkata', nowMs, `${usage}?period=last-24-hours`);

  test('the last 24 hours are 24 hours in the chart, the tables, the figures and the export', async () => {
    const chart = page.getByRole('application', { name: /^Requests by period/ });
    await chart.locator('[data-kind=counted]').waitFor();
    assert.equal(await chart.locator('[data-kind]').count(), 1);
    await chart.locator('[data-axis=x]').last().getByText('This hour').waitFor();
    const row = page.getByRole('region', { name: 'Usage by key, table' }).getByRole('row').last();
    assert.match(await textOf(row), /first key.*Counted1Share100%Change-50%Cached0Failed0Texts1/);
    const standing = await textOf(page.getByRole('region', { name: 'Standing' }));
    assert.match(standing, /Cache0%/);
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ]);
    const rows = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
      .slice(1);
    assert.deepEqual(
      rows.map((row) => row.split(',').filter((_, column) => column === 0 || column === 4)),
      [[`${new Date(nowMs - hourMs).toISOString().slice(0, 13)}:00`, '1']],
    );
  });

  test('a period says that it is in UTC, and so does a bar', async () => {
    await page.getByText('UTC', { exact: true }).waitFor();
    const chart = page.getByRole('application', { name: /^Requests by period/ });
    await chart.press('ArrowLeft');
    await chart.getByRole('status').getByText('20:00 UTC').waitFor();
    await chart.press('Escape');
  });

  test('the calendar has today’s date in UTC, and no day that has not begun there', async () => {
    const assertCalendar = async (of: Page, todayMs: number): Promise<void> => {
      await of.getByLabel('Period', { exact: true }).selectOption('Custom…');
      await of.getByRole('button', { name: `Today, ${dayIn.format(todayMs)}` }).waitFor();
      const next = of.getByRole('button', { name: dayIn.format(todayMs + dayMs) });
      assert.ok((await next.count()) === 0 || (await next.isDisabled()));
      await of.keyboard.press('Escape');
    };
    await assertCalendar(page, today);
    // Half an hour after midnight: in New York, it is still the day before.
    clock.nowMs = today + dayMs + hourMs / 2;
    const evening = await openIn('America/New_York', clock.nowMs, usage);
    await evening.getByRole('region', { name: 'Standing' }).waitFor();
    await assertCalendar(evening, today + dayMs);
    clock.nowMs = nowMs;
  });

  test('the end of a key is the same day wherever it is shown', async () => {
    const expiresAt = today + 40 * dayMs - 1_000;
    const lifetimeMs = expiresAt - clock.nowMs;
    await services.keys.create({ orgId, userId: administrator.userId, name: 'ends', lifetimeMs });
    const day = shortDay.format(expiresAt);
    for (const [zone, of] of [
      ['Kolkata', page],
      ['New York', await openIn('America/New_York', nowMs, usage)],
    ] as const) {
      await of.getByRole('region', { name: 'Standing' }).waitFor();
      await of.goto(`/organizations/${orgId}/keys`);
      await of.getByRole('row').filter({ hasText: 'ends' }).getByText(day).waitFor();
      await of.getByRole('link', { name: 'ends' }).click();
      const end = of.getByRole('definition').getByText(day);
      assert.equal(await end.getAttribute('title'), `${day}, 23:59 UTC`, zone);
    }
  });

  test('a browser whose clock is wrong has the service’s time', async () => {
    for (const wrongMs of [-40 * dayMs, 400 * dayMs]) {
      const wrong = await openIn('Europe/Berlin', nowMs + wrongMs, usage);
      await wrong.getByText(/Resets in (\d+ days? )?\d+ (hours?|minutes?)/).waitFor();
      await wrong.getByLabel('Period', { exact: true }).selectOption('last-24-hours');
      await wrong.getByRole('application').getByText('This hour').waitFor();
      assert.equal(await wrong.getByRole('application').locator('[data-kind=counted]').count(), 1);
      await wrong.goto(`/organizations/${orgId}/keys`);
      const row = wrong.getByRole('row').filter({ hasText: 'first key' });
      await row.getByText('1 hour ago').waitFor();
      assert.doesNotMatch(await textOf(row), /Expired|Expires soon/);
    }
  });
});
