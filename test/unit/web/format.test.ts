import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAgoOrDay, formatChange } from '../../../web/src/lib/format.ts';

test('a request of which only the day is known was sent on that day, not hours ago', () => {
  const nowMs = Date.parse('2026-11-28T07:29:00Z');
  assert.equal(formatAgoOrDay('2026-11-28T00:00:00.000Z', nowMs), 'today');
  assert.equal(formatAgoOrDay('2026-11-25T00:00:00.000Z', nowMs), '3 days ago');
  assert.equal(formatAgoOrDay('2026-11-28T02:00:00.000Z', nowMs), '5 hours ago');
});

test('a change of more than ten times is a factor, not a percentage of five digits', () => {
  assert.deepEqual([-0.5, 0, 0.5, 9, 232.48].map(formatChange), ['-50%', '0%', '+50%', '+900%', '×233']);
});
