import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedReports } from '../../../src/http/shared-reports.ts';

type Report = Awaited<ReturnType<SharedReports['get']>>;
const reportOf = (keyCount: number): Report => ({ key_count: keyCount }) as Report;

test('one report serves all who ask for the same within a second, and who asks again gets a new one', async () => {
  let count = 0;
  const reports = new SharedReports();
  const ask = async (question: string, reader: string) =>
    (await reports.get(question, reader, async () => reportOf(++count))).key_count;
  const first = await Promise.all(Array.from({ length: 50 }, (_, n) => ask('a', `reader ${n}`)));
  assert.deepEqual([...new Set(first)], [1]);
  assert.deepEqual([await ask('a', 'reader 3'), await ask('a', 'late'), await ask('b', 'late')], [2, 2, 3]);
});

test('a report whose first reader has left is computed for the others', async () => {
  const reports = new SharedReports();
  const gone = reports.get('a', 'first', () => Promise.reject(new Error('gone')));
  const other = reports.get('a', 'second', async () => reportOf(7));
  await assert.rejects(gone);
  assert.deepEqual(await other, reportOf(7));
});
