import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dayOf } from '../../src/quota/window.ts';
import type { Stores } from '../../src/store/stores.ts';
import { monthReport } from '../../src/usage/reports.ts';
import { rollUpMonths } from '../../src/usage/roll-up.ts';
import { TestClock } from '../helpers/clock.ts';
import type { OpenStores } from './stores.ts';

/** What every database has to hold of usage records. */
export function usageContract(name: string, open: OpenStores): void {
  describe(`usage on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    let stores: Stores;
    before(async () => {
      stores = await open(clock);
    });
    after(() => stores.close());

    const day = dayOf(clock.now());
    const delta = (keyId: string, on: number, texts: number) => ({
      ...{ orgId: 'org', keyId, day: on, cached: 1, failed: 2, texts, tokens: 4_000_000_000, lastUsedAt: 1 },
    });

    test('deltas add up by key and day, also many at once and beyond 32 bits', async () => {
      const many = Array.from({ length: 1_200 }, (_, i) => delta(`key-${i}`, day, 1));
      await stores.usage.add(many);
      await stores.usage.add([delta('key-7', day, 5), delta('key-7', day + 1, 3)]);
      const rows = await stores.usage.rows('org', day, day + 2);
      assert.equal(rows.length, 1_201);
      assert.deepEqual(
        rows.filter(({ keyId }) => keyId === 'key-7'),
        [
          { keyId: 'key-7', day, counted: 0, cached: 2, failed: 4, texts: 6, tokens: 8_000_000_000 },
          { keyId: 'key-7', day: day + 1, counted: 0, cached: 1, failed: 2, texts: 3, tokens: 4_000_000_000 },
        ],
      );
    });

    test('a month’s report has its own days only, and no other organization’s', async () => {
      await stores.usage.add([delta('key-7', dayOf(Date.parse('2026-12-01T00:00:00Z')), 100)]);
      await stores.usage.add([{ ...delta('key-7', day, 100), orgId: 'other' }]);
      const report = await monthReport(stores.usage, 'org', clock.now());
      assert.equal(report.byKey.length, 1_200);
      assert.equal(report.totals.texts, 1_208);
      assert.equal(report.byKey.find(({ keyId }) => keyId === 'key-7')?.texts, 9);
      assert.equal((await monthReport(stores.usage, 'nobody', clock.now())).totals.texts, 0);
    });

    test('sums of months that are over say the same as the days that they are made of', async () => {
      const orgId = 'org_rolled';
      await stores.organizations.insert({
        ...{ orgId, name: 'Rolled', tier: 'free', custom: null, createdAt: 1, revision: 1 },
      });
      const first = dayOf(Date.parse('2026-08-01T00:00:00Z'));
      const at = (iso: string) => dayOf(Date.parse(`${iso}T00:00:00Z`));
      const days = ['2026-08-01', '2026-08-31', '2026-10-01', '2026-10-15', '2026-10-31', '2026-11-01'];
      await stores.usage.add(
        days.flatMap((text, i) => ['key-a', 'key-b'].map((id) => ({ ...delta(id, at(text), i + 1), orgId }))),
      );
      const { usage } = stores;
      const periods = [
        [first, at('2026-11-22')],
        [first + 1, at('2026-11-01')],
        [at('2026-10-02'), at('2026-10-31')],
        [at('2026-09-01'), at('2026-10-01')],
      ] as const;
      const read = () =>
        Promise.all(
          periods.map(async ([from, end]) => [
            await usage.totalsByKey(orgId, from, end),
            await usage.totalsByDay(orgId, from, end, null),
            await usage.totalsByDay(orgId, from, end, 'key-a'),
          ]),
        );
      const before = await read();
      assert.deepEqual(
        before[0]?.[1]?.map(({ texts }) => texts),
        [2, 4, 6, 8, 10, 12],
      );
      await rollUpMonths(usage, clock.now());
      assert.deepEqual(await usage.unrolled(at('2026-11-01'), 10), []);
      assert.deepEqual(await read(), before);
      await rollUpMonths(usage, clock.now());
      // What comes late for a month that has sums is not in them: nothing does, a request takes minutes.
      await usage.add([{ ...delta('key-a', at('2026-11-02'), 7), orgId }]);
      assert.equal((await usage.totalsByKey(orgId, first, at('2026-11-22')))[0]?.texts, 21 + 7);
    });
  });
}
