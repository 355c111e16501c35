import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decide, rollForward, standingOf } from '../../../src/quota/decide.ts';
import { defaultShares, standardTiers, Tiers } from '../../../src/quota/tiers.ts';
import { dayOf, monthDays, windowAt, windowKinds } from '../../../src/quota/window.ts';
import { askOf } from '../../helpers/asks.ts';

const at = (iso: string) => Date.parse(iso);
const anyMoment = fc.integer({ min: at('1970-01-01T00:00:00Z'), max: at('2199-12-31T23:59:59Z') });

test('a month is the calendar month in UTC, in February and at the end of the year too', () => {
  const cases = [
    ['2026-11-21T03:00:00Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ] as const;
  for (const [now, start, end] of cases) {
    assert.deepEqual(windowAt('month', at(now)), { startMs: at(start), endMs: at(end) });
  }
});

test('every moment lies in exactly one window of each kind, and windows follow each other without a gap', () => {
  fc.assert(
    fc.property(anyMoment, fc.constantFrom(...windowKinds), (nowMs, kind) => {
      const { startMs, endMs } = windowAt(kind, nowMs);
      assert.ok(startMs <= nowMs && nowMs < endMs);
      assert.equal(windowAt(kind, endMs).startMs, endMs);
      assert.equal(windowAt(kind, endMs - 1).startMs, startMs);
    }),
  );
});

test('a month’s days are those of its window', () => {
  const { firstDay, endDay } = monthDays(at('2026-02-10T00:00:00Z'));
  assert.equal(endDay - firstDay, 28);
  assert.equal(firstDay, dayOf(at('2026-02-01T00:00:00Z')));
});

/** Returns how many of `waiting` requests a quota grants. */
function grantedOf(amount: number | null, used: number, waiting: number): number {
  const counter = { limitId: 'quota', keyId: null, unit: 'requests', amount, resetsAtMs: 1, used } as const;
  return decide([{ ask: askOf('key'), count: waiting }], [{ ...counter }])[0]!.granted;
}

test('grants never exceed the limit, and never fall below zero after a downgrade', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(2_000), fc.nat(5_000), (requests, used, waiting) => {
      const granted = grantedOf(requests, used, waiting);
      assert.ok(granted >= 0 && granted <= waiting);
      assert.ok(granted === 0 || used + granted <= requests);
      assert.ok(granted === waiting || used + granted >= requests);
    }),
  );
  assert.equal(grantedOf(null, 10 ** 9, 5), 5);
});

test('a standing read after its reset has nothing used', () => {
  const standing = standingOf(
    { requests: 10, window: 'minute' },
    { startMs: at('2026-11-21T03:00:00Z'), used: 10 },
    at('2026-11-21T03:00:59.999Z'),
  );
  assert.equal(standing.used, 10);
  assert.equal(rollForward(standing, standing.resetsAtMs - 1), standing);
  const later = rollForward(standing, standing.resetsAtMs);
  assert.equal(later.used, 0);
  assert.equal(later.resetsAtMs, at('2026-11-21T03:02:00Z'));
});

test('tiers have their published limits, and only enterprise takes a custom one', () => {
  const custom = { requests: 5, window: 'second' } as const;
  const limitOf = standardTiers.limitOf.bind(standardTiers);
  assert.deepEqual(limitOf('free', custom), { requests: 10_000, window: 'month' });
  assert.deepEqual(limitOf('pro', null), { requests: 100_000, window: 'month' });
  assert.deepEqual(limitOf('scale', null), { requests: 1_000_000, window: 'month' });
  assert.deepEqual(limitOf('enterprise', null), { requests: null, window: 'month' });
  assert.deepEqual(limitOf('enterprise', custom), custom);
});

test('a tier that is no longer configured grants nothing, whatever its custom limit', () => {
  const custom = { requests: 5, window: 'second' } as const;
  assert.deepEqual(standardTiers.limitOf('gold', custom), { requests: 0, window: 'month' });
});

test('new organizations get the named tier, else free, else the first', () => {
  const gold = { name: 'gold', monthlyRequests: 7, price: null, takesCustomLimit: false, ...defaultShares };
  assert.equal(standardTiers.default, 'free');
  assert.equal(new Tiers([gold]).default, 'gold');
  assert.equal(new Tiers([gold, ...standardTiers.all]).default, 'free');
  assert.equal(new Tiers(standardTiers.all, 'pro').default, 'pro');
});
