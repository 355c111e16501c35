import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAgoOrDay } from '../../../web/src/lib/format.ts';

test('a request of which only the day is known was sent on that day, not hours ago', () => {
  const nowMs = Date.parse('2026-11-28T07:29:00Z');
  assert.equal(formatAgoOrDay('2026-11-28T00:00:00.000Z', nowMs), 'today');
  assert.equal(formatAgoOrDay('2026-11-25T00:00:00.000Z', nowMs), '3 days ago');
  assert.equal(formatAgoOrDay('2026-11-28T02:00:00.000Z', nowMs), '5 hours ago');
});
