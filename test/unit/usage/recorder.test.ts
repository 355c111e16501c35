import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latencyClassOf, percentileOf } from '../../../src/usage/latency.ts';
import type { DailyUsage, UsageBatch, UsageRecorder, UsageSink } from '../../../src/usage/recorder.ts';
import type { HourlyUsage, RequestEntry } from '../../../src/usage/request-log.ts';
import { lineOf, recorderOf } from '../../helpers/stored.ts';

const entry = (i: number): Parameters<UsageRecorder['record']>[0] => ({
  orgId: 'org',
  at: 3_600_000,
  requestId: `${i}`,
  keyId: 'key',
  userId: null,
  model: 'm',
  status: 200,
  error: '',
  outcome: 'counted',
  texts: 1,
  countedTexts: 1,
  tokens: 2,
  countedTokens: 2,
  cost: 0,
  truncated: 0,
  latencyMs: 3,
  queueMs: 0,
  param: null,
  limitId: null,
});

/** A store that can be down, with what was added to it. */
class Store implements UsageSink {
  isDown = true;
  readonly batches: UsageBatch[] = [];

  async add(batch: UsageBatch): Promise<void> {
    if (this.isDown) throw new Error('the store is down');
    this.batches.push(batch);
  }

  rows<R>(part: 'days' | 'hours' | 'entries'): R[] {
    return this.batches.flatMap((batch) => JSON.parse(batch[part]) as R[]);
  }
}

test('the usage by day and by hour follows from the same requests and lines', async () => {
  const store = new Store();
  store.isDown = false;
  const recorder = recorderOf(store, assert.ifError);
  const failed = { outcome: 'failed', error: 'unavailable', tokens: 0 } as const;
  recorder.record({ ...entry(0), truncated: 1 });
  recorder.record({ ...entry(1), outcome: 'cached', at: 3_600_001 });
  recorder.record({ ...entry(2), ...failed });
  recorder.record({ ...entry(3), ...failed, outcome: 'refused', error: 'invalid_api_key', at: 3_600_002 });
  recorder.recordLine(lineOf({ at: 3_600_000, model: 'm' }));
  recorder.record({ ...entry(4), keyId: null, userId: 'user' });
  await recorder.flush();
  const days = { orgId: 'org', model: 'm', day: 0 };
  const none = { cached: 0, failed: 0, truncated: 0 };
  assert.deepEqual(store.rows<DailyUsage>('days'), [
    { ...days, keyId: 'key', lastUsedAt: 3_600_001, cached: 1, failed: 2, texts: 2, tokens: 4, truncated: 1 },
    { ...days, keyId: 'user', lastUsedAt: 3_600_000, ...none, texts: 1, tokens: 2 },
  ]);
  assert.deepEqual(
    store.rows<HourlyUsage>('hours').map((row) => [row.keyId, row.outcome, row.error, row.texts, row.tokens]),
    [
      ['key', 'counted', '', 1, 2],
      ['key', 'cached', '', 1, 2],
      ['key', 'failed', 'unavailable', 0, 0],
      ['key', 'refused', 'invalid_api_key', 0, 0],
      ['key', 'refused', 'invalid_request', 0, 0],
      ['user', 'counted', '', 1, 2],
    ],
  );
  assert.equal(store.rows<RequestEntry>('entries').length, 5);
});

test('a store that fails makes no request fail: entries beyond the maximum are dropped and counted, with one warning per outage', async () => {
  const store = new Store();
  const warnings: unknown[] = [];
  const recorder = recorderOf(store, (reason) => warnings.push(reason));
  recorder.record(entry(0));
  await recorder.flush();
  for (let i = 1; i <= 2_004; i += 1) recorder.record(entry(i));
  await recorder.flush();
  assert.deepEqual([recorder.dropped, warnings.length], [4, 1]);
  store.isDown = false;
  await recorder.flush();
  assert.equal(store.rows('entries').length, 2_001);
  const { batches } = store;
  assert.ok(batches.every((batch) => (JSON.parse(batch.entries) as unknown[]).length <= 250));
  assert.deepEqual(
    store.rows<HourlyUsage>('hours').map(({ requests }) => requests),
    [1, 2_004],
  );
  assert.deepEqual(
    store.rows<DailyUsage>('days').map(({ texts }) => texts),
    [1, 2_004],
  );
  assert.deepEqual(
    batches.map(({ number }) => number),
    batches.map((_, i) => i + 1),
  );
  store.isDown = true;
  recorder.record(entry(1));
  await recorder.flush();
  assert.equal(warnings.length, 2);
});

test('while the store is down, days wait in greater number than hours and entries, and none is written twice', async () => {
  const store = new Store();
  const warnings: unknown[] = [];
  const recorder = recorderOf(store, (reason) => warnings.push(reason));
  for (let i = 0; i < 3; i += 1) recorder.recordLine(lineOf({}));
  await recorder.flush();
  for (let i = 1; i <= 50_100; i += 1) recorder.recordLine(lineOf({ keyId: `key ${i}` }));
  await recorder.flush();
  assert.deepEqual([recorder.waiting, recorder.dropped, warnings.length], [50_000, 40_100, 1]);
  store.isDown = false;
  await recorder.flush();
  const days = store.rows<DailyUsage>('days');
  assert.deepEqual([days.length, days[0]?.failed, days.at(-1)?.keyId], [50_000, 3, 'key 49999']);
  assert.equal(store.rows<HourlyUsage>('hours').length, 10_001);
  assert.equal(recorder.waiting, 0);
});

test('percentiles of classes are within 25 % of those of the values, also of merged counts', () => {
  const values = Array.from({ length: 1_000 }, (_, i) => 1.5 ** (i / 50));
  const counts = new Map<number, number>();
  for (const ms of values) counts.set(latencyClassOf(ms), (counts.get(latencyClassOf(ms)) ?? 0) + 1);
  for (const p of [0.5, 0.95, 0.99]) {
    const [found, exact] = [percentileOf(counts, p)!, values[Math.ceil(p * 1_000) - 1]!];
    assert.ok(found > exact / 1.25 && found < exact * 1.25, `${p}: ${found}, not ${exact}`);
  }
  assert.equal(percentileOf(new Map(), 0.5), null);
  assert.ok(percentileOf(new Map([[latencyClassOf(1e9), 1]]), 0.95)! < 150_000);
});

test('the log is a sample of the newest requests while more come than it can write, and complete again after that', async () => {
  const store = new Store();
  store.isDown = false;
  const recorder = recorderOf(store, () => {});
  const written = () => store.rows<RequestEntry>('entries').map(({ requestId }) => requestId);
  let last = 0;
  const receive = (requests: number): void => {
    for (const end = last + requests; last < end; last += 1) recorder.record(entry(last));
  };
  receive(6_000);
  await recorder.flushSome();
  assert.deepEqual(
    written(),
    Array.from({ length: 125 }, (_, i) => `${1_875 + i}`),
  );
  receive(6_000);
  await recorder.flushSome();
  assert.equal(written().length, 250);
  assert.equal(written().at(-1), '6124');
  receive(400);
  await recorder.flushSome();
  const before = written().length;
  receive(400);
  await recorder.flushSome();
  assert.equal(written().length, before + 400);
  assert.equal(recorder.dropped, last - written().length);
});

test('organizations are crowded once they have got many entries, and again after as many', async () => {
  const store = new Store();
  store.isDown = false;
  const recorder = recorderOf(store, assert.ifError);
  const receive = async (requests: number): Promise<string[]> => {
    for (let i = 0; i < requests; i += 1) recorder.record(entry(i));
    await recorder.flush();
    return recorder.crowded(10);
  };
  assert.deepEqual(await receive(9), []);
  assert.deepEqual(await receive(1), ['org']);
  assert.deepEqual(await receive(0), ['org'], 'until its log is pruned');
  recorder.pruned('org');
  assert.deepEqual(await receive(9), []);
});
