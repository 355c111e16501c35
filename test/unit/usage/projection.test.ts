import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, windowAt } from '../../../src/quota/window.ts';
import { project } from '../../../src/usage/projection.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const today = dayOf(nowMs);
const { startMs, endMs: resetsAtMs } = windowAt('month', nowMs);
const standing = (used: number, limit: number | null = 10_000) => ({
  limit,
  used,
  window: 'month' as const,
  startMs,
  resetsAtMs,
});
/** `counted` requests a day in the last `days` days, today included, after `before` earlier days of use. */
const daily = (counted: number, days: number, before = 100) => ({
  firstDay: today - days + 1 - before,
  counted: counted * days,
});

test('the rate of seven days continues: with 400 a day and 1,600 left, the quota ends in four days', () => {
  const pace = { firstDay: today - 100, counted: 6 * 400 + 200 };
  assert.deepEqual(project(standing(8_400), pace, nowMs), {
    fromMs: Date.parse('2026-11-14T00:00:00Z'),
    toMs: nowMs,
    counted: 2_600,
    perDay: 400,
    usedAtReset: 8_400 + 10.5 * 400,
    exhaustsAtMs: Date.parse('2026-11-24T12:00:00Z'),
  });
});

test('a quota that lasts has no end, nor has an unlimited one', () => {
  assert.equal(project(standing(1_000), daily(40, 7), nowMs)?.exhaustsAtMs, null);
  const unlimited = project(standing(1_000, null), daily(4_000, 7), nowMs);
  assert.equal(unlimited?.exhaustsAtMs, null);
  assert.ok((unlimited?.usedAtReset ?? 0) > 40_000);
});

test('a quota that is used up has already ended', () => {
  assert.equal(project(standing(10_000), daily(2_000, 7), nowMs)?.exhaustsAtMs, nowMs);
});

test('the days before the first use do not lower the rate', () => {
  const project3 = project(standing(1_000), daily(100, 3, 0), nowMs);
  assert.equal(project3?.perDay, 300 / 2.5);
});

test('days without requests lower the rate, because a weekend is part of the week', () => {
  // From Monday to Friday noon, after an idle weekend.
  assert.equal(nowMs, Date.parse('2026-11-20T12:00:00Z'));
  const weekdays = project(standing(5_800), { firstDay: today - 30, counted: 4 * 400 + 200 }, nowMs);
  assert.equal(weekdays?.perDay, 1_800 / 6.5);
  assert.equal(weekdays?.exhaustsAtMs, null);
});

test('too little data gives no projection', () => {
  assert.equal(project(standing(0), { firstDay: null, counted: 0 }, nowMs), null);
  assert.equal(project(standing(500), daily(250, 2, 0), nowMs), null);
  assert.equal(project(standing(0), daily(0, 7), nowMs), null);
  assert.equal(project({ ...standing(5), window: 'day' }, daily(100, 7), nowMs), null);
});
