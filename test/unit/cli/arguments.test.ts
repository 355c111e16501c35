import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidArgumentError } from 'commander';
import { parseCount, parseDuration, parseLifetime, parseMonth } from '../../../src/cli/arguments.ts';

describe('durations', () => {
  for (const [text, expectedMs] of [
    ['45s', 45_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
    ['2w', 1_209_600_000],
    ['1y', 31_536_000_000],
    ['1000y', 31_536_000_000_000],
  ] as const) {
    it(`${text} is ${expectedMs} ms`, () => {
      assert.equal(parseDuration(text), expectedMs);
      assert.equal(parseLifetime(text), expectedMs);
    });
  }

  for (const text of [
    '',
    '0d',
    '-1d',
    '90',
    'd',
    '1.5d',
    '90 d',
    '90D',
    '1001y',
    '9'.repeat(13),
    '1e3s',
    'soon',
  ]) {
    it(`"${text}" is not a duration`, () => {
      assert.throws(() => parseDuration(text), InvalidArgumentError);
      assert.throws(() => parseLifetime(text), InvalidArgumentError);
    });
  }

  it('never is a lifetime, but not a duration', () => {
    assert.equal(parseLifetime('never'), Number.POSITIVE_INFINITY);
    assert.throws(() => parseDuration('never'), InvalidArgumentError);
  });
});

describe('months', () => {
  it('2026-11 begins on the 1st at 00:00 UTC', () => {
    assert.equal(parseMonth('2026-11'), Date.parse('2026-11-01T00:00:00Z'));
    assert.equal(parseMonth('1970-01'), 0);
  });

  for (const text of [
    '',
    '2026',
    '2026-13',
    '2026-00',
    '2026-1',
    '26-01',
    '1969-12',
    '0000-01',
    '2026-11-01',
  ]) {
    it(`"${text}" is not a month`, () => assert.throws(() => parseMonth(text), InvalidArgumentError));
  }
});

describe('counts', () => {
  it('are whole numbers', () => {
    assert.equal(parseCount('0'), 0);
    assert.equal(parseCount('999999999999999'), 999_999_999_999_999);
  });

  for (const text of ['', '-1', '1.5', '1e3', 'ten', '9'.repeat(16)]) {
    it(`"${text}" is not a count`, () => assert.throws(() => parseCount(text), InvalidArgumentError));
  }
});
