import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  currentRow,
  decide,
  limitStandingOf,
  quotaId,
  rollForward,
  rollLimitsForward,
  standingOf,
  type WindowRow,
} from '../../../src/quota/decide.ts';
import { KnownStandings, type StoredStandings } from '../../../src/quota/known-standings.ts';
import { Ledger } from '../../../src/quota/ledger.ts';
import type { LedgerStore } from '../../../src/quota/ledger-store.ts';
import { defaultWeight, standardTiers, Tiers } from '../../../src/quota/tiers.ts';
import { dayOf, monthDays, type WindowKind, windowAt, windowKinds } from '../../../src/quota/window.ts';
import { assertStanding } from '../../contracts/quota.ts';
import { at, type QuotaCase, quotaCases } from '../../contracts/quota-cases.ts';
import { askOf } from '../../helpers/asks.ts';

describe('the quota rule', () => {
  for (const expected of quotaCases) test(expected.name, () => assertDecided(expected));
});

function assertDecided(expected: QuotaCase): void {
  const { before, window, now, asks } = expected;
  const limit = { amount: expected.limit, window, unit: 'requests' } as const;
  const rowIn = (kind: WindowKind): WindowRow | undefined => {
    const isCounted = before && (kind === 'month' || kind === (before.window ?? window));
    return isCounted ? { startMs: windowAt(kind, at(before.at)).startMs, used: before.used } : undefined;
  };
  const current = currentRow(window, rowIn(window), at(now));
  const month = currentRow('month', rowIn('month'), at(now));
  const { startMs, used } = current;
  const { resetsAtMs } = standingOf(limit, { startMs, used }, at(now));
  const counter = {
    limitId: quotaId,
    scopeId: '',
    unit: 'requests',
    amount: expected.limit,
    resetsAtMs,
    used,
  } as const;
  const [run] = decide([{ ask: askOf('key'), count: asks }], [{ ...counter }]);
  const granted = run!.granted;
  if (granted < asks) assert.equal(run!.refusedBy, quotaId);
  assert.equal(granted, expected.granted);
  assertStanding(standingOf(limit, { ...current, used: current.used + granted }, at(now)), expected);
  assert.equal(month.used + granted, expected.monthUsed ?? expected.used);
}

const quota = standingOf({ amount: null, window: 'month', unit: 'requests' }, undefined, 0);
const limited: StoredStandings = { quota, limits: [] };
const unlimited: StoredStandings = { quota, limits: null };

describe('the known standings', () => {
  test('of an organization whose last limit was removed hold for every key', () => {
    const known = new KnownStandings();
    known.add('org', limited, 1, askOf('a'));
    known.add('org', unlimited, 2, askOf('b'));
    assert.deepEqual(
      ['a', 'b', 'c', null].map((id) => known.get('org', id === null ? null : askOf(id))?.version),
      [2, 2, 2, 2],
    );
  });

  test('after a flush are those of its keys, because it may have counted in the limits of others', () => {
    const known = new KnownStandings();
    known.add('org', limited, 1, askOf('a'));
    known.replace('org', limited, 1, [askOf('b')]);
    assert.equal(known.get('org', askOf('a')), undefined);
    assert.ok(known.get('org', askOf('b')));
  });

  test('are those of at most 100 keys of an organization', () => {
    const known = new KnownStandings();
    const ids = Array.from({ length: 250 }, (_, i) => `key ${i}`);
    const remembered = () => ids.filter((id) => known.get('org', askOf(id))).length;
    for (const id of ids) {
      known.add('org', limited, 1, askOf(id));
      assert.ok(known.get('org', askOf(id)));
      assert.ok(remembered() <= 100);
    }
    known.replace(
      'org',
      limited,
      1,
      ids.map((id) => askOf(id)),
    );
    assert.equal(remembered(), 100);
  });

  for (const how of ['read', 'flushed'] as const) {
    test(`are read again if another process flushed while they were ${how}`, async () => {
      let version = 1;
      let reads = 0;
      const overtaken = async <R>(result: R): Promise<R> => {
        if (version === 1) version = 2;
        return result;
      };
      const receipt = { day: 0, monthStartMs: 0, window: null };
      const decided = [{ granted: 1, refusedBy: null }];
      const store: LedgerStore = {
        flush: () => overtaken([{ decided, receipt, standing: quota, limits: null }]),
        standings() {
          reads += 1;
          return overtaken(unlimited);
        },
        version: () => version,
      };
      const ledger = new Ledger(store, { now: () => 0 });
      if (how === 'read') await ledger.readStanding('org');
      else await ledger.reserve('org', askOf('k'));
      const before = reads;
      for (const _ of [1, 2]) await ledger.standing('org');
      assert.equal(reads, before + 1);
    });
  }
});

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
  const counter = { limitId: 'quota', scopeId: '', unit: 'requests', amount, resetsAtMs: 1, used } as const;
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
    { amount: 10, window: 'minute', unit: 'requests' },
    { startMs: at('2026-11-21T03:00:00Z'), used: 10 },
    at('2026-11-21T03:00:59.999Z'),
  );
  assert.equal(standing.used, 10);
  assert.equal(rollForward(standing, standing.resetsAtMs - 1), standing);
  const later = rollForward(standing, standing.resetsAtMs);
  assert.equal(later.used, 0);
  assert.equal(later.resetsAtMs, at('2026-11-21T03:02:00Z'));
});

test('limits read at the millisecond of their reset have nothing used', () => {
  const row = {
    limitId: 'a',
    keyId: null,
    userId: null,
    appliesTo: 'requests',
    unit: 'texts',
    window: 'minute',
    amount: 3,
    maxWaitMs: null,
  } as const;
  const limit = limitStandingOf(
    { ...row, startMs: at('2026-11-21T03:00:00Z'), used: 2 },
    at('2026-11-21T03:00:30Z'),
  );
  assert.equal(rollLimitsForward([limit], limit.resetsAtMs - 1)[0]?.used, 2);
  assert.equal(rollLimitsForward([limit], limit.resetsAtMs)[0]?.used, 0);
});

test('tiers have their published limits, and only enterprise takes a custom one', () => {
  const custom = { amount: 5, window: 'second' } as const;
  const unit = 'requests';
  const limitOf = standardTiers.limitOf.bind(standardTiers);
  assert.deepEqual(limitOf('free', custom), { amount: 10_000, window: 'month', unit });
  assert.deepEqual(limitOf('pro', null), { amount: 100_000, window: 'month', unit });
  assert.deepEqual(limitOf('scale', null), { amount: 1_000_000, window: 'month', unit });
  assert.deepEqual(limitOf('enterprise', null), { amount: null, window: 'month', unit });
  assert.deepEqual(limitOf('enterprise', custom), { ...custom, unit });
});

test('a tier that is no longer configured grants nothing, whatever its custom limit', () => {
  const custom = { amount: 5, window: 'second' } as const;
  assert.deepEqual(standardTiers.limitOf('gold', custom), { amount: 0, window: 'month', unit: 'requests' });
});

test('new organizations get the named tier, else free, else the first', () => {
  const gold = {
    name: 'gold',
    monthlyLimit: 7,
    unit: 'requests',
    price: null,
    takesCustomLimit: false,
    weight: defaultWeight,
    limits: [],
    thresholds: [],
  } as const;
  assert.equal(standardTiers.default, 'free');
  assert.equal(new Tiers([gold]).default, 'gold');
  assert.equal(new Tiers([gold, ...standardTiers.all]).default, 'free');
  assert.equal(new Tiers(standardTiers.all, 'pro').default, 'pro');
});
