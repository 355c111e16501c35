import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayOf } from '../../../src/quota/window.ts';
import { listeningApp } from '../../helpers/app.ts';
import { askOf } from '../../helpers/asks.ts';
import { Browser } from '../../helpers/browser.ts';
import { TestClock } from '../../helpers/clock.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { addUsage, usageOf } from '../../helpers/stored.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { sound, UpstreamServer } from '../../helpers/upstream-server.ts';

type Figures = {
  counted: number;
  cached: number;
  failed: number;
  texts: number;
  tokens: number;
  truncated: number;
};
type Share = Figures & {
  key_id: string;
  name: string | null;
  status: string | null;
  share: number | null;
  trend: number | null;
};
type Report = {
  from: string;
  to: string;
  quota: { used: number };
  totals: Figures;
  series: (Figures & { period: string; latency?: unknown })[];
  keys: Share[];
  key_count: number;
  models: (Figures & { model: string | null })[];
  limits: unknown[];
  projection: null | { per_day: number; exhausts_at: string | null; explanation: string };
};

describe('usage reports', async () => {
  const clock = new TestClock('2025-11-21T12:00:00Z');
  const app = untilEnd(await listeningApp({ clock, environment: { REQUEST_LOG: 'off' } }));
  // Sessions use the real clock, because the library does. The test’s clock stays months behind it: if it were more
  // than 7 days ahead, the housekeeping, which uses it, would delete the session.
  const admin = await new Browser(app.address).signIn(app.administrator);

  const path = (query = '') => `/v1/organizations/${app.orgId}/usage${query}`;
  const report = (query?: string) => admin.ask<Report>(200, 'GET', path(query));

  /** Writes a key's usage on a past day as the ledger and the recorder would have written it. */
  const past = async (keyId: string, date: string, requests: number) => {
    const now = clock.nowMs;
    clock.set(`${date}T10:00:00Z`);
    for (let i = 0; i < requests; i += 1) await app.services.ledger.reserve(app.orgId, askOf(keyId));
    const day = dayOf(clock.nowMs);
    await addUsage(app.services.stores.usage, [usageOf({ orgId: app.orgId, keyId, day, cached: 1 })]);
    clock.nowMs = now;
  };

  test('counted, cached and failed requests are reported separately by day, month and key, in agreement with the headers', async () => {
    const text = 'reported';
    await requestEmbeddings(app.address, app.key, text);
    await requestEmbeddings(app.address, app.key, text);
    await requestEmbeddings(app.address, app.key, '');
    const today = await report();
    assert.deepEqual([today.from, today.to, today.series.length], ['2025-11-01', '2025-11-21', 21]);
    const { counted, cached, failed, texts } = today.totals;
    assert.deepEqual({ counted, cached, failed, texts }, { counted: 1, cached: 1, failed: 1, texts: 2 });
    assert.equal(today.quota.used, 1);
    const { latency: _, ...last } = today.series.at(-1)!;
    assert.deepEqual(last, { period: '2025-11-21', ...today.totals });
    assert.deepEqual(
      today.keys.map(({ name, share, trend }) => ({ name, share, trend })),
      [{ name: 'first key', share: 1, trend: null }],
    );
    assert.equal(today.projection, null);
    const year = await report('?by=month&from=2024-12-01');
    assert.equal(year.series.length, 12);
    assert.deepEqual([year.series[0]?.period, year.series.at(-1)?.period], ['2024-12', '2025-11']);
    assert.deepEqual(year.totals, today.totals);
  });

  test('with REQUEST_LOG=off, no request is logged, but the usage by hour is kept', async () => {
    const { series } = await report('?from=2025-11-21&by=hour');
    assert.ok(series.some(({ counted }) => counted === 1));
    const url = `/v1/organizations/${app.orgId}/requests`;
    const { data, enabled } = await admin.ask<{ data: unknown[]; enabled: boolean }>(200, 'GET', url);
    assert.deepEqual([data, enabled], [[], false]);
  });

  test('requests of one user in two organizations within a second count for each organization', async () => {
    const organizations: string[] = [];
    for (const name of ['Left', 'Right']) {
      const { org_id } = await admin.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name });
      organizations.push(org_id);
    }
    const [left, right] = organizations as [string, string];
    const embed = (orgId: string, input: string[]) =>
      admin.ask(200, 'POST', `/v1/organizations/${orgId}/embeddings`, { input });
    await embed(left, ['one']);
    await embed(right, ['two', 'three']);
    await embed(left, ['four']);
    const textsOf = async (orgId: string) =>
      (await admin.ask<Report>(200, 'GET', `/v1/organizations/${orgId}/usage`)).totals.texts;
    assert.deepEqual([await textsOf(left), await textsOf(right)], [2, 2]);
  });

  test('the report has shares, trends and a forecast with its basis, and keeps revoked keys', async () => {
    const { org_id } = await admin.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', {
      name: 'Heading',
      tier: 'enterprise',
      limit: 100,
    });
    const orgId = app.orgId;
    Object.assign(app, { orgId: org_id });
    const { keys } = app.services;
    const a = (await keys.create({ orgId: org_id, userId: 'u', name: 'a' })).key.keyId;
    const b = (await keys.create({ orgId: org_id, userId: 'u', name: 'b' })).key.keyId;
    await past(a, '2025-11-14', 4);
    await past(b, '2025-11-15', 12);
    await past(a, '2025-11-18', 6);
    await past(b, '2025-11-20', 18);
    await keys.revoke(b);
    const week = await report('?from=2025-11-17&to=2025-11-21');
    assert.deepEqual(
      week.keys.map(({ key_id, status, counted, share, trend }) => [key_id, status, counted, share, trend]),
      [
        [b, 'revoked', 18, 0.75, 0.5],
        [a, 'active', 6, 0.25, 0.5],
      ],
    );
    assert.deepEqual(
      week.models.map(({ model, counted }) => [model, counted]),
      [['test-model', 24]],
    );
    // The organization was first used on the 14th, in the second half of the six days before.
    const { keys: uncompared } = await report('?from=2025-11-16&to=2025-11-21');
    assert.deepEqual(
      uncompared.map(({ trend }) => trend),
      [null, null],
    );
    assert.deepEqual(week.limits, []);
    const most = await report('?from=2025-11-17&to=2025-11-21&max_keys=1');
    assert.deepEqual([most.keys, most.key_count], [week.keys.slice(0, 1), 2]);
    const one = await report(`?from=2025-11-17&to=2025-11-21&key_id=${a}`);
    assert.deepEqual([one.totals.counted, one.keys.length, one.keys[0]?.share], [6, 1, 0.25]);
    // 36 counted from the 15th to noon of the 21st; 40 of the limit of 100 are used.
    assert.equal(week.projection?.per_day, 5.5);
    assert.equal(week.projection?.exhausts_at, null);
    assert.match(
      week.projection?.explanation ?? '',
      /^36 requests have been counted since 2025-11-15 \(5\.5 per day\)\. At this rate you’ll have used 93 of 100 requests by the reset\.$/,
    );
    await app.services.organizations.setTier(org_id, 'enterprise', { amount: 50, window: 'month' });
    assert.match((await report()).projection?.exhausts_at ?? '', /^2025-11-23T/);

    const response = await admin.send('GET', path('/export?format=json'));
    assert.match(
      response.headers.get('content-disposition') ?? '',
      /filename="usage-2025-11-01-2025-11-21\.json"/,
    );
    assert.equal(((await response.json()) as { data: unknown[] }).data.length, 4);
    Object.assign(app, { orgId });
  });

  test('a period of whole hours has the same requests in the bars, the sums, the change and the export', async () => {
    const { org_id } = await admin.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', {
      name: 'Hours',
    });
    const { key, secret } = await app.services.keys.create({ orgId: org_id, userId: 'u', name: 'a' });
    const send = (text: string) => requestEmbeddings(app.address, secret, text);
    const nowMs = clock.nowMs;
    // At 08:00 a day before, which the calendar days of the last 24 hours have too; at 13:00; and now.
    clock.nowMs -= 28 * 3_600_000;
    await send('before');
    await send('before, too');
    clock.nowMs += 5 * 3_600_000;
    await send('yesterday');
    clock.nowMs = nowMs;
    await send('yesterday');
    await send('now '.repeat(1_000));
    await app.services.keys.revoke(key.keyId);
    assert.equal((await send('refused')).status, 401);
    const usage = `/v1/organizations/${org_id}/usage`;
    const hours = 'from=2025-11-20T13:00Z&to=2025-11-21T13:00:00.000Z';
    const { from, to, ...day } = await admin.ask<Report & { previous: Figures[] }>(
      200,
      'GET',
      `${usage}?${hours}&compare=previous`,
    );
    assert.deepEqual([from, to], ['2025-11-20T13:00:00.000Z', '2025-11-21T13:00:00.000Z']);
    const sumOf = (all: readonly Figures[]) =>
      all.reduce(
        (sum, { counted, cached, failed }) => [sum[0]! + counted, sum[1]! + cached, sum[2]! + failed],
        [0, 0, 0],
      );
    const { series, keys, models, totals } = day;
    assert.deepEqual(
      [series[0]?.period, series.at(-1)?.period, series.length],
      ['2025-11-20T13:00', '2025-11-21T12:00', 24],
    );
    for (const part of [series, keys, models, [totals]]) assert.deepEqual(sumOf(part), [2, 1, 0]);
    assert.deepEqual(sumOf(day.previous), [2, 0, 0]);
    assert.equal(keys[0]?.trend, 0);
    for (const part of [series, models, [totals]])
      assert.equal(
        part.reduce((sum, { truncated }) => sum + truncated, 0),
        1,
      );
    const csv = await (await admin.send('GET', `${usage}/export?${hours}`)).text();
    assert.deepEqual(
      csv.split('\r\n').map((line) =>
        line
          .split(',')
          .filter((_, at) => at !== 1)
          .slice(0, 4)
          .join(),
      ),
      ['hour,key_name,user_id,counted', '2025-11-20T13:00,a,u,1', '2025-11-21T12:00,a,u,1', ''],
    );
    for (const query of [
      'from=2025-11-20T13:30Z',
      `${hours}&by=day`,
      'from=2025-02-30T13:00Z&to=2025-11-21',
      'from=2025-09-01T00:00Z',
    ])
      await admin.ask(400, 'GET', `${usage}?${query}`);
  });

  test('an invalid query gets a 400 that names its field', async () => {
    for (const [query, message] of [
      ['?from=yesterday', /^from must match/],
      ['?from=2025-02-30', /^from must be a day/],
      ['?by=week', /^by must be/],
      ['/export?format=xls', /^format must be/],
      ['?from=2000-01-01', /at most 800 days apart/],
    ] as const) {
      const answer = await admin.ask<{ message: string }>(400, 'GET', path(query));
      assert.match(answer.message, message);
    }
  });

  test('a request that crosses midnight, and its texts, are of the day that counted it', async () => {
    const server = untilEnd(await new UpstreamServer().listen());
    const clock = new TestClock('2025-12-31T23:59:59.900Z');
    const own = untilEnd(await listeningApp({ clock, environment: server.environment }));
    server.next.push((response, request) => {
      clock.set('2026-01-01T00:00:03Z');
      sound(response, request);
    });
    await requestEmbeddings(own.address, own.key, ['one', 'two']);
    const person = await new Browser(own.address).signIn(own.administrator);
    const { series } = await person.ask<Report>(
      200,
      'GET',
      `/v1/organizations/${own.orgId}/usage?from=2025-12-31&to=2026-01-01`,
    );
    assert.deepEqual(
      series.map(({ period, counted, texts }) => [period, counted, texts]),
      [
        ['2025-12-31', 1, 2],
        ['2026-01-01', 0, 0],
      ],
    );
  });

  test('a session embeds texts like a key: the request counts for the user, uses the cache and gets the headers', async () => {
    const url = `/v1/organizations/${app.orgId}/embeddings`;
    const before = (await report()).quota.used;
    const first = await admin.send('POST', url, { input: ['from the playground'] });
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('x-ratelimit-remaining'), String(10_000 - before - 1));
    assert.equal(((await first.json()) as { cached: boolean }).cached, false);
    const second = await admin.ask<{ cached: boolean }>(200, 'POST', url, { input: ['from the playground'] });
    assert.equal(second.cached, true);
    const { keys, quota, totals } = await report();
    assert.deepEqual([quota.used, totals.counted], [before + 1, before + 1]);
    const own = keys.find(({ key_id }) => key_id === app.administrator.userId);
    assert.deepEqual([own?.name, own?.counted, own?.cached], [null, 1, 1]);
  });
});
