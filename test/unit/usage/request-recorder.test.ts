import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latencyClassOf, percentileOf } from '../../../src/usage/latency.ts';
import type { RequestBatch, RequestEntry } from '../../../src/usage/request-log.ts';
import { RequestRecorder } from '../../../src/usage/request-recorder.ts';

const entry = (i: number): Omit<RequestEntry, 'entryId'> => ({
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
  tokens: 2,
  latencyMs: 3,
  queueMs: 0,
  limitId: null,
});

const hasRoom = async (): Promise<boolean> => true;

test('a store that fails makes no request fail: entries beyond the maximum are dropped and counted, with one warning per outage', async () => {
  const batches: RequestBatch[] = [];
  let isDown = true;
  const warnings: unknown[] = [];
  const recorder = new RequestRecorder(
    {
      async write(batch) {
        if (isDown) throw new Error('the store is down');
        batches.push(batch);
      },
    },
    { isOn: true, hasRoom, onError: (reason) => warnings.push(reason) },
  );
  recorder.record(entry(0));
  await recorder.flush();
  for (let i = 1; i <= 2_004; i += 1) recorder.record(entry(i));
  await recorder.flush();
  assert.deepEqual([recorder.dropped, warnings.length], [4, 1]);
  isDown = false;
  await recorder.flush();
  const entries = batches.flatMap((batch) => JSON.parse(batch.entries) as RequestEntry[]);
  assert.equal(entries.length, 2_001);
  assert.ok(batches.every((batch) => (JSON.parse(batch.entries) as unknown[]).length <= 250));
  const hours = batches.flatMap((batch) => JSON.parse(batch.hours) as { requests: number }[]);
  assert.deepEqual(
    hours.map(({ requests }) => requests),
    [1, 2_004],
  );
  assert.deepEqual(
    batches.map(({ number }) => number),
    batches.map((_, i) => i + 1),
  );
  isDown = true;
  recorder.record(entry(1));
  await recorder.flush();
  assert.equal(warnings.length, 2);
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
  const written: string[] = [];
  const recorder = new RequestRecorder(
    {
      async write({ entries }) {
        for (const { requestId } of JSON.parse(entries) as RequestEntry[]) written.push(requestId);
      },
    },
    { isOn: true, hasRoom, onError: () => {} },
  );
  let last = 0;
  const receive = (requests: number): void => {
    for (const end = last + requests; last < end; last += 1) recorder.record(entry(last));
  };
  receive(6_000);
  await recorder.flushSome();
  assert.deepEqual(
    written,
    Array.from({ length: 125 }, (_, i) => `${1_875 + i}`),
  );
  receive(6_000);
  await recorder.flushSome();
  assert.equal(written.length, 250);
  assert.equal(written.at(-1), '6124');
  receive(400);
  await recorder.flushSome();
  const before = written.length;
  receive(400);
  await recorder.flushSome();
  assert.equal(written.length, before + 400);
  assert.equal(recorder.dropped, last - written.length);
});

test('organizations are crowded once they have got many entries, and again after as many', async () => {
  const recorder = new RequestRecorder({ write: async () => {} }, { isOn: true, hasRoom, onError: () => {} });
  const receive = async (requests: number): Promise<string[]> => {
    for (let i = 0; i < requests; i += 1) recorder.record(entry(i));
    await recorder.flush();
    return recorder.takeCrowded(10);
  };
  assert.deepEqual(await receive(9), []);
  assert.deepEqual(await receive(1), ['org']);
  assert.deepEqual(await receive(9), []);
});
