import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedReports } from '../../../src/usage/shared-reports.ts';

test('one report serves all who ask for the same within a second, and who asks again gets a new one', async () => {
  let count = 0;
  const compute = async () => ++count;
  const reports = new SharedReports<number>();
  const ask = (question: string, reader: string) => reports.get(question, reader, compute);
  const first = await Promise.all(Array.from({ length: 50 }, (_, n) => ask('a', `reader ${n}`)));
  assert.deepEqual([...new Set(first)], [1]);
  assert.deepEqual([await ask('a', 'reader 3'), await ask('a', 'late'), await ask('b', 'late')], [2, 2, 3]);
});

test('a report whose first reader has left is computed for the others', async () => {
  const reports = new SharedReports<string>();
  const gone = reports.get('a', 'first', () => Promise.reject(new Error('gone')));
  const other = reports.get('a', 'second', async () => 'a report');
  await assert.rejects(gone);
  assert.equal(await other, 'a report');
});
