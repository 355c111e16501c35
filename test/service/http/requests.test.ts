import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, jsonl, line } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Entry = {
  request_id: string;
  key_id: string | null;
  user_id: string | null;
  model: string | null;
  status: number;
  error: string | null;
  outcome: string;
  texts: number;
  tokens: number;
  latency_ms: number;
  queue_ms: number;
  limit_id: string | null;
  param: string | null;
};
type List = { data: Entry[]; next: string | null; enabled: boolean; kept_days: number };
type Report = {
  totals: object;
  series: {
    period: string;
    counted: number;
    counted_texts: number;
    counted_tokens: number;
    cached: number;
    failed: number;
    latency: { p50_ms: number } | null;
  }[];
  previous?: { period: string; counted: number }[];
  groups?: {
    key_id: string | null;
    user_id: string | null;
    name: string | null;
    is_others: boolean;
    series: object[];
  }[];
  latency: { p50_ms: number; p95_ms: number } | null;
  errors: { error: string; requests: number }[];
};

const app = untilEnd(await listeningApp());
const admin = await new Browser(app.address).signIn(app.administrator);
const { keys, limits, members, organizations, users, recorder } = app.services;

const path = (query = '', orgId = app.orgId) => `/v1/organizations/${orgId}/requests${query}`;
const list = (query = '', orgId?: string) => admin.ask<List>(200, 'GET', path(query, orgId));

const post = (url: string, body: object, requestId: string, secret = app.key) =>
  fetch(app.address + url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
    },
    body: JSON.stringify(body),
  });

const soon = { withinMs: 20_000 };

/** Returns the entry of a request, which is made when its response has been sent. */
async function entryOf(requestId: string, orgId?: string): Promise<Entry> {
  let found: Entry | undefined;
  await eventually(async () => {
    await recorder.flush();
    [found] = (await list(`?request_id=${requestId}`, orgId)).data;
    return found !== undefined;
  }, soon);
  return found!;
}

async function newMember(email: string, role: 'viewer' | 'member', orgId = app.orgId) {
  const { user, password } = await users.create({ email, isAdmin: false });
  await members.add(orgId, user.userId, role);
  const browser = await new Browser(app.address).signIn({ email, password });
  return { userId: user.userId, password, browser };
}

describe('the request log', () => {
  const text = 'a text that nobody may read in the log';

  test('has the outcome, the error, the limit and the sizes of requests in any dialect', async () => {
    const limited = await keys.create({ orgId: app.orgId, userId: 'u', name: 'limited' });
    const { keyId } = limited.key;
    const limit = await limits.add(app.orgId, { keyId, unit: 'texts', window: 'hour', amount: 1 });
    const two = { input: [text, 'two'] };
    const sent: [url: string, body: object, expected: unknown[], secret?: string][] = [
      ['/v1/embeddings', two, ['counted', 200, null, 2, null]],
      ['/v1/embeddings', two, ['cached', 200, null, 2, null]],
      ['/v1/embeddings', { input: [] }, ['refused', 400, 'invalid_request', 0, null]],
      ['/v1/embeddings', { input: text, model: 'other' }, ['refused', 400, 'invalid_request', 0, null]],
      ['/openai/v1/embeddings', { input: 'azure' }, ['counted', 200, null, 1, null]],
      ['/embed', { inputs: ['tei', text] }, ['counted', 200, null, 2, null]],
      ['/v2/embed', { texts: [text], model: 'x' }, ['refused', 404, 'invalid_request', 0, null]],
      ['/v1/rerank', { query: 'q', documents: [text] }, ['refused', 404, 'not_found', 0, null]],
      ['/v1/embeddings', { input: 'first' }, ['counted', 200, null, 1, null], limited.secret],
      [
        '/v1/embeddings',
        { input: 'second' },
        ['refused', 429, 'rate_limit_exceeded', 1, limit.limitId],
        limited.secret,
      ],
      ['/v1/embeddings', { input: text, 'dimension\0s': 1 }, ['refused', 400, 'invalid_request', 0, null]],
    ];
    for (const [i, [url, body, expected, secret]] of sent.entries()) {
      const { status } = await post(url, body, `sent-${i}`, secret);
      const entry = await entryOf(`sent-${i}`);
      assert.equal(entry.status, status);
      const { outcome, error, texts, limit_id } = entry;
      assert.deepEqual([outcome, entry.status, error, texts, limit_id], expected, url);
      if (secret) assert.equal(entry.key_id, keyId);
      assert.equal(entry.user_id, null);
      assert.equal(entry.tokens > 0, status === 200);
      assert.equal(entry.queue_ms > 0, outcome === 'counted', `${url}: queued for ${entry.queue_ms} ms`);
      assert.ok(entry.latency_ms >= entry.queue_ms);
    }
    const params = [0, 2, 3, 6, 10].map(async (i) => (await entryOf(`sent-${i}`)).param);
    assert.deepEqual(await Promise.all(params), [null, 'input', 'model', 'model', 'dimension\ufffds']);
    const all = JSON.stringify(await list('?limit=100'));
    assert.ok(!all.includes(text) && !all.includes('vector'));
  });

  test('has the requests with a key that was revoked or has expired, but none with an unknown key', async () => {
    const { key, secret } = await keys.create({ orgId: app.orgId, userId: 'u', name: 'revoked' });
    await keys.revoke(key.keyId);
    assert.equal((await post('/v1/embeddings', { input: 'x' }, 'revoked', secret)).status, 401);
    const { outcome, error, key_id } = await entryOf('revoked');
    assert.deepEqual([outcome, error, key_id], ['refused', 'invalid_api_key', key.keyId]);
    const short = await keys.create({ orgId: app.orgId, userId: 'u', name: 'short', lifetimeMs: 1 });
    await eventually(async () => {
      return (await post('/v1/embeddings', { input: 'x' }, 'expired', short.secret)).status === 401;
    }, soon);
    await eventually(async () => {
      await recorder.flush();
      const { data } = await list(`?key_id=${short.key.keyId}&outcome=refused`);
      return data[0]?.error === 'invalid_api_key';
    }, soon);
    await post('/v1/embeddings', { input: 'x' }, 'unknown', `sk_${'0'.repeat(64)}`);
    await post('/v1/embeddings', { input: [text, 'two'] }, 'after');
    await entryOf('after');
    assert.deepEqual((await list('?request_id=unknown')).data, []);
  });

  test('shows the sender of a session’s request to members, and hides it from viewers and keys', async () => {
    const viewer = await newMember('viewer@example.com', 'viewer');
    const member = await newMember('member@example.com', 'member');
    const embed = `/v1/organizations/${app.orgId}/embeddings`;
    await member.browser.send('POST', embed, { input: 'own' }, { 'x-request-id': 'own' });
    assert.deepEqual((({ key_id, user_id }) => [key_id, user_id])(await entryOf('own')), [
      null,
      member.userId,
    ]);
    const seenBy = async (browser: Browser, headers = {}) => {
      const response = await browser.send('GET', path('?request_id=own'), undefined, headers);
      return ((await response.json()) as List).data[0]?.user_id;
    };
    assert.equal(await seenBy(member.browser), member.userId);
    assert.equal(await seenBy(viewer.browser), null);
    assert.equal(await seenBy(new Browser(app.address), { authorization: `Bearer ${app.key}` }), null);
  });

  test('is read in pages, newest first, and filtered; the histogram counts the same requests', async () => {
    const { orgId } = await organizations.create({ name: 'Paged', tier: 'free' });
    const { key, secret } = await keys.create({ orgId, userId: 'u', name: 'one' });
    const other = await keys.create({ orgId, userId: 'u', name: 'two' });
    for (let i = 0; i < 5; i += 1) await post('/v1/embeddings', { input: `${i}` }, `paged-${i}`, secret);
    await post('/v1/embeddings', { input: '0' }, 'paged-5', other.secret);
    await post('/v1/embeddings', {}, 'paged-6', other.secret);
    await entryOf('paged-6', orgId);
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { data, next } = await list(`?limit=3${after}`, orgId);
      seen.push(...data.map(({ request_id }) => request_id));
      if (next === null) break;
      after = `&after=${next}`;
    }
    assert.deepEqual(
      seen,
      [6, 5, 4, 3, 2, 1, 0].map((i) => `paged-${i}`),
    );
    const { data, enabled, kept_days } = await list('?limit=1', orgId);
    const { at } = data[0] as unknown as { at: string };
    assert.deepEqual([enabled, kept_days], [true, 7]);
    const found = async (query: string) => (await list(query, orgId)).data.length;
    assert.equal(await found('?outcome=cached'), 1);
    assert.equal(await found('?status=400'), 1);
    assert.equal(await found(`?key_id=${key.keyId}&outcome=counted`), 5);
    assert.equal(await found('?model=all-MiniLM-L6-v2'), 6);
    assert.equal(await found('?min_latency_ms=0.001'), 7);
    assert.equal(await found('?min_latency_ms=100000'), 0);
    assert.equal(await found(`?from=${at}`), 1);
    assert.equal(await found(`?to=${at}`), 6);
    await admin.ask(400, 'GET', path('?from=yesterday', orgId));
    await admin.ask(400, 'GET', path('?to=9999-12-31T23:59:59-23:59', orgId));
    await admin.ask(400, 'GET', path('?model=%00', orgId));
    const histogram = async (query = '') => {
      type Histogram = { buckets: Record<'counted' | 'cached' | 'refused' | 'failed', number>[] };
      const { buckets } = await admin.ask<Histogram>(200, 'GET', path(`/histogram${query}`, orgId));
      assert.equal(buckets.length, 60);
      const sum = (name: 'counted' | 'cached' | 'refused') =>
        buckets.reduce((total, bucket) => total + bucket[name], 0);
      return [sum('counted'), sum('cached'), sum('refused')];
    };
    assert.deepEqual(await histogram(), [5, 1, 1]);
    assert.deepEqual(await histogram(`?key_id=${other.key.keyId}`), [0, 1, 1]);
    assert.deepEqual(await histogram('?to=2026-01-01T00:00:00Z'), [0, 0, 0]);
    await organizations.delete(orgId);
    await admin.ask(404, 'GET', path('', orgId));
  });
});

describe('usage reports from the hourly usage', () => {
  test('have the lines of batches, without a latency or entries in the log', async () => {
    const { orgId } = await organizations.create({ name: 'Lines', tier: 'free' });
    const { secret } = await keys.create({ orgId, userId: 'u', name: 'lines' });
    const client = batchClient({ address: app.address, key: secret });
    const batch = await client.create(jsonl(['a', 'b', 'a'].map((input, i) => line(`${i}`, { input }))));
    await client.ended(batch.id);
    const today = new Date().toISOString().slice(0, 10);
    const url = `/v1/organizations/${orgId}/usage?from=${today}&by=hour`;
    const report = await admin.ask<Report>(200, 'GET', url);
    const sums = report.series.map(({ counted, cached }) => counted + cached);
    assert.equal(Math.max(...sums), 3);
    assert.equal(report.latency, null);
    assert.deepEqual((await admin.ask<{ data: unknown[] }>(200, 'GET', path('', orgId))).data, []);
  });

  test('of an end user are those of their keys, and of what a member sent with a session', async () => {
    const { orgId } = await organizations.create({ name: 'Users', tier: 'free' });
    const [userId, other] = ['cust-user-9', 'ein anderer; ü'];
    for (const [i, user] of [userId, userId, other].entries()) {
      const { secret } = await keys.create({ orgId, userId: user, name: `${i}` });
      await post('/v1/embeddings', { input: ['a', `${i}`] }, `user-${i}`, secret);
    }
    await entryOf('user-2', orgId);
    const usage = <T>(query: string) => admin.ask<T>(200, 'GET', `/v1/organizations/${orgId}/usage${query}`);
    const of = encodeURIComponent;
    const { totals, keys: shares } = await usage<Report & { keys: { user_id: string }[] }>(
      `?user_id=${userId}`,
    );
    assert.deepEqual(
      [(totals as { counted_texts: number }).counted_texts, ...shares.map(({ user_id }) => user_id)],
      [3, userId, userId],
    );
    const { groups } = await usage<Report>('?group=user');
    assert.deepEqual(
      groups?.map(({ user_id }) => user_id),
      [userId, other],
    );
    const { data } = await usage<{ data: { user_id: string }[] }>(`/export?format=json&user_id=${of(other)}`);
    assert.deepEqual(
      data.map(({ user_id }) => user_id),
      [other],
    );
    const logged = async (user: string) =>
      (await list(`?user_id=${of(user)}`, orgId)).data.map(({ request_id }) => request_id);
    assert.deepEqual(await logged(userId), ['user-1', 'user-0']);
    assert.deepEqual(await logged('nobody'), []);
    assert.deepEqual(await logged('a\0'), []);
  });

  test('have hours, groups, the period before, latencies and errors', async () => {
    const { orgId } = await organizations.create({ name: 'Hours', tier: 'free' });
    const secrets: string[] = [];
    for (let i = 0; i < 7; i += 1)
      secrets.push((await keys.create({ orgId, userId: 'u', name: `key ${i}` })).secret);
    for (const [i, secret] of secrets.entries()) {
      for (let n = 0; n < 7 - i; n += 1) await requestEmbeddings(app.address, secret, `${i} ${n}`);
    }
    await requestEmbeddings(app.address, secrets[0]!, '');
    const today = new Date().toISOString().slice(0, 10);
    const report = (query: string) =>
      admin.ask<Report>(200, 'GET', `/v1/organizations/${orgId}/usage?from=${today}${query}`);
    const hourly = await report('&by=hour&group=key&compare=previous');
    assert.equal(hourly.series.length % 24, 0);
    assert.equal(hourly.series[0]?.period, `${today}T00:00`);
    const used = hourly.series.filter(({ counted }) => counted > 0);
    const sumOf = (figure: 'counted' | 'counted_texts' | 'counted_tokens') =>
      used.reduce((sum, part) => sum + part[figure], 0);
    const sums = [sumOf('counted'), sumOf('counted_texts'), sumOf('counted_tokens')];
    assert.deepEqual(sums, [28, 28, 28 * 4]);
    assert.ok(used[0]?.latency && used[0].latency.p50_ms > 0);
    assert.ok(hourly.latency && hourly.latency.p95_ms >= hourly.latency.p50_ms);
    assert.deepEqual(hourly.errors, [{ error: 'invalid_request', requests: 1 }]);
    assert.equal(hourly.previous?.length, hourly.series.length);
    const daily = await report('&group=key&compare=previous');
    for (const { groups } of [hourly, daily]) {
      assert.deepEqual(
        groups?.map(({ name, is_others }) => [name, is_others]),
        [0, 1, 2, 3, 4].map((i): unknown[] => [`key ${i}`, false]).concat([[null, true]]),
      );
    }
    const counted = { counted: 3, counted_texts: 3, counted_tokens: 12, cost: 0 };
    assert.deepEqual(daily.groups?.at(-1)?.series, [
      { period: today, ...counted, cached: 0, failed: 0, texts: 3, tokens: 12 },
    ]);
    assert.deepEqual(daily.series.at(-1)?.latency, hourly.latency);
    assert.deepEqual([daily.previous?.length, daily.previous?.[0]?.counted], [daily.series.length, 0]);
    await admin.ask(400, 'GET', `/v1/organizations/${orgId}/usage?by=hour&from=2026-01-01&to=2026-01-02`);
  });
});
