import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { limitUnits } from '../../../src/quota/limit.ts';
import { defaultWeight, type QuotaLimit, standardTiers, Tiers } from '../../../src/quota/tiers.ts';
import { windowKinds } from '../../../src/quota/window.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { openSqliteStores } from '../../../src/store/sqlite/open.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { TestClock } from '../../helpers/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { openPostgres, type TestPostgres } from '../../helpers/postgres.ts';
import { type Command, Side } from './model-side.ts';
import { patient } from './postgres/replicas.ts';

type Step = Command | { do: 'wait'; ms: number };

/** Small enough to be used up. */
const tiers = new Tiers([
  ...standardTiers.all.map((tier) => ({
    ...tier,
    monthlyLimit: tier.monthlyLimit && tier.monthlyLimit / 2_000,
  })),
  ...(['texts', 'tokens'] as const).map((unit) => ({
    weight: defaultWeight,
    name: unit,
    unit,
    monthlyLimit: 30,
    price: null,
    takesCustomLimit: true,
  })),
]);
const place = fc.nat({ max: 5 });
const places = fc.array(place, { minLength: 1, maxLength: 12 });
const custom: fc.Arbitrary<QuotaLimit | null> = fc.option(
  fc.record({ amount: fc.nat({ max: 8 }), window: fc.constantFrom(...windowKinds) }),
);
// A tier without a custom limit refuses one, which is seldom interesting.
const tier: fc.Arbitrary<{ tier: string; custom: QuotaLimit | null }> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ tier: fc.constantFrom('enterprise', 'texts', 'tokens'), custom }) },
  { weight: 1, arbitrary: fc.record({ tier: fc.constantFrom(...tiers.names), custom }) },
);
const units = fc.record({
  requests: fc.constantFrom(1, 1, 1, 0),
  texts: fc.integer({ min: 1, max: 3 }),
  tokens: fc.nat({ max: 12 }),
});
const asks = fc.array(fc.record({ key: place, units }), { minLength: 1, maxLength: 12 });
const reservations = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 4 });
const lifetimeMs = fc.constantFrom(1_000, 86_400_000, Number.POSITIVE_INFINITY);
const ms = fc.constantFrom(1, 400, 1_000, 60_000, 3_600_000, 86_400_000, 12 * 86_400_000, -1, -1_500);
const does = <D extends Step['do']>(name: D) => fc.constant(name);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: tier.map((limits) => ({ do: 'create organization' as const, ...limits })) },
  { weight: 2, arbitrary: fc.record({ do: does('create key'), org: place, lifetimeMs }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: does('rotate key'),
      key: place,
      graceMs: fc.nat({ max: 9_000 }),
      by: fc.constantFrom('itself' as const, 'person' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: does('revoke key'), key: place }) },
  {
    weight: 2,
    arbitrary: fc.tuple(place, tier).map(([org, to]) => ({ do: 'set tier' as const, org, ...to })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: does('add limit'),
      org: place,
      key: fc.option(place),
      unit: fc.constantFrom(...limitUnits),
      window: fc.constantFrom(...windowKinds),
      amount: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: does('change limit'),
      limit: place,
      amount: fc.option(fc.integer({ min: 1, max: 30 })),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: does('reserve'), asks, giveBack: fc.constant([]) }) },
  { weight: 4, arbitrary: fc.record({ do: does('reserve'), asks, giveBack: reservations }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: does('settle'),
      reservation: fc.nat({ max: 20 }),
      tokens: fc.nat({ max: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: does('record usage'), keys: places, texts: place }) },
  { weight: 3, arbitrary: fc.record({ do: does('read organization'), org: place }) },
  { weight: 1, arbitrary: fc.record({ do: does('read key'), key: place }) },
  { weight: 2, arbitrary: fc.record({ do: does('read usage'), org: place }) },
  { weight: 3, arbitrary: fc.record({ do: does('wait'), ms }) },
);

/** Every sequence begins with something to work on, and ends with a look at all of it. */
const first: readonly Step[] = [
  { do: 'create organization', tier: 'enterprise', custom: { amount: 5, window: 'minute' } },
  { do: 'create organization', tier: 'enterprise', custom: { amount: 9, window: 'month' } },
  { do: 'create organization', tier: 'free', custom: null },
  ...[0, 1, 2, 0, 1].map((org) => ({ do: 'create key' as const, org, lifetimeMs: 86_400_000 })),
];
const last: readonly Step[] = [0, 1, 2, 3].flatMap((org) => [
  { do: 'read organization' as const, org },
  { do: 'read usage' as const, org },
]);

describe('SQLite and Postgres', () => {
  const directory = temporaryDirectory();
  const clock = new TestClock('2026-11-30T23:59:00Z');
  let postgres: TestPostgres;
  let stores: Stores[] = [];
  before(async () => {
    postgres = await openPostgres();
    stores = await Promise.all([
      openSqliteStores(directory.path, clock, tiers, { deadlineMs: () => 60_000 }),
      openPostgresStores(await postgres.createDatabase(), { ...patient, tiers, windowClock: clock }),
    ]);
  });
  after(async () => {
    await Promise.all(stores.map((one) => one.close()));
    await postgres[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  test('return equal results for equal commands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        clock.set('2026-11-30T23:59:00.250Z');
        const sides = stores.map((one) => new Side(one, clock));
        for (const next of [...first, ...steps, ...last]) {
          if (next.do === 'wait') {
            clock.advance(next.ms);
            continue;
          }
          const [sqlite, postgres] = await Promise.all(sides.map((side) => side.run(next)));
          assert.deepEqual(postgres, sqlite, `after ${JSON.stringify(next)}`);
        }
      }),
      { numRuns: 50 },
    );
  });
});
