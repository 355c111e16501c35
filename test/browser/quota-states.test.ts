import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askOf } from '../helpers/asks.ts';
import { TestClock } from '../helpers/clock.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { withoutBrowser } from './chromium.ts';
import { messages, openDashboard, signIn } from './dashboard.ts';
import { raiseAlerts } from './seed.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Twenty seconds before an hour ends. */
const startMs = Math.ceil(Date.now() / hourMs) * hourMs - 20_000;
const month = { amount: 5, window: 'month' } as const;

// The test controls the clocks of the service and of the browser. Each test continues where the one before it
// has ended.

describe('pages with a used-up quota, or that cannot be refreshed', { skip: withoutBrowser }, async () => {
  const clock = new TestClock(new Date(startMs).toISOString());
  const dashboard = untilEnd(await openDashboard({ clock }));
  const { orgId, services, administrator, address, key } = dashboard.app;
  const path = `/organizations/${orgId}`;
  clock.advance(-3 * dayMs);
  const use = async (count: number): Promise<void> => {
    const { orgId, services } = dashboard.app;
    for (let n = 0; n < count; n += 1) await services.ledger.reserve(orgId, askOf('a key'));
  };
  await use(8);
  clock.advance(3 * dayMs);
  // A second alert: a key has used up a limit of its own.
  const { key: limited } = await services.keys.create({
    orgId,
    userId: administrator.userId,
    name: 'limited',
  });
  await services.limits.add(orgId, { keyId: limited.keyId, unit: 'requests', window: 'day', amount: 1 });
  await services.alerting.alerts.setSettings(orgId, { limitThresholds: [100] });
  await services.ledger.reserve(orgId, askOf(limited.keyId));
  await use(6);
  assert.equal((await requestEmbeddings(address, key, 'a text')).status, 200);
  await services.organizations.setTier(orgId, 'enterprise', month);
  await raiseAlerts(dashboard.app, orgId);
  const page = await dashboard.newPage();
  await page.clock.install({ time: startMs });
  await page.goto(`${path}/usage`);
  await signIn(page, administrator);
  await page.waitForURL('**/usage');
  const main = () => page.getByRole('main');
  const standing = () => main().getByRole('region', { name: 'Standing' });
  const strip = () =>
    main()
      .getByRole('status')
      .filter({ hasText: /^Over quota/ });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await page.clock.fastForward(ms);
  };
  const setLimit = (amount: number, window: 'second' | 'hour') =>
    dashboard.app.services.organizations.setTier(dashboard.app.orgId, 'enterprise', { amount, window });

  test('forecast no end for a quota that is already used up', async () => {
    await standing()
      .getByText(/^The quota is used up until /)
      .waitFor();
    assert.equal(
      await standing()
        .getByText(/^You’ll /)
        .count(),
      0,
    );
  });

  test('each say that requests are refused, even after the alerts are acknowledged', async () => {
    await page.goto(`${path}/alerts`);
    await strip().waitFor();
    await main()
      .getByText(/passed 50%, 80%, 90% before$/)
      .waitFor();
    await main()
      .getByRole('row', { name: /^The limit of the day for limited is used up/ })
      .waitFor();
    await main().getByRole('button', { name: 'Acknowledge all' }).click();
    await main().getByText('No open alerts.').waitFor();
    await page.goto(`${path}/keys`);
    await strip().getByRole('link', { name: 'Raise the limit' }).waitFor();
    await page.getByRole('row', { name: /first key/ }).waitFor();
    assert.equal(await main().getByText('Over quota').count(), 1, 'it is said once, not for each key');
    const { address, key } = dashboard.app;
    assert.equal((await requestEmbeddings(address, key, 'a text that is new')).status, 429);
    assert.equal((await requestEmbeddings(address, key, 'a text')).status, 200);
  });

  test('show a limit per second as a rate, without a forecast or figures that expire at once', async () => {
    await setLimit(5, 'second');
    await use(5);
    await page.goto(`${path}/usage`);
    await standing().getByText('Rate limit5requests per secondResets every second').waitFor();
    await main().getByText('Forecasts are available for monthly limits of requests.').waitFor();
    assert.equal(
      await main()
        .getByText(/of 5 requests/)
        .count(),
      0,
    );
  });

  test('load the figures again as soon as the window has ended', async () => {
    await setLimit(20, 'hour');
    // The browser's clock runs on by itself, and must not reach the end of the hour before it is made to.
    await page.clock.setSystemTime(clock.now());
    const { used } = await dashboard.app.services.ledger.readStanding(dashboard.app.orgId);
    await use(20 - used);
    await page.goto(`${path}/usage`);
    await standing()
      .getByText(/^20of 20 requests · 100%$/)
      .waitFor();
    await strip().waitFor();
    // Less than the half minute after which pages refresh anyway.
    await pass(25_000);
    await standing()
      .getByText(/^0of 20 requests · 0%$/)
      .waitFor();
    await strip().waitFor({ state: 'detached' });
  });

  test('say since when they cannot be refreshed, and when they can again', async () => {
    const notice = messages(page).getByRole('status');
    await page.route('**/v1/**', (route) => route.abort());
    for (let n = 0; n < 3; n += 1) await pass(31_000);
    await notice.getByText('The service can’t be reached.').waitFor();
    await notice.getByText(/^Last updated .*(seconds|minutes?) ago\. Reconnecting…$/).waitFor();
    await page.unroute('**/v1/**');
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
  });
});
