import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Ledger } from '../../src/quota/ledger.ts';
import { standardTiers } from '../../src/quota/tiers.ts';
import { dayOf } from '../../src/quota/window.ts';
import type { Stores } from '../../src/service/stores.ts';
import { standingIn } from '../../src/usage/reports.ts';
import { askOf } from '../helpers/asks.ts';
import { TestClock } from '../helpers/clock.ts';
import { monthReport } from '../helpers/month-report.ts';
import {
  addUsage,
  batchOf,
  finishDeletions,
  lineOf,
  organizationRow,
  recorderOf,
} from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

/** What every database guarantees about usage records. */
export function usageContract(name: 'SQLite' | 'Postgres', open: OpenStores): void {
  describe(`usage on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    let stores: Stores;
    before(async () => {
      stores = await open(clock);
      for (const orgId of ['org', 'other']) await insertOrganization(orgId);
    });
    after(() => stores.close());

    const insertOrganization = (orgId: string) => stores.organizations.insert(organizationRow(orgId));

    const day = dayOf(clock.now());
    const delta = (keyId: string, on: number, texts: number) => ({
      orgId: 'org',
      keyId,
      day: on,
      model: 'test-model',
      cached: 1,
      failed: 2,
      texts,
      tokens: 4_000_000_000,
      truncated: 3,
      lastUsedAt: 1,
    });

    test('deltas add up by key and day, even many at once and beyond 32 bits', async () => {
      const many = Array.from({ length: 1_200 }, (_, i) => delta(`key-${i}`, day, 1));
      await addUsage(stores.usage, many);
      await addUsage(stores.usage, [delta('key-7', day, 5), delta('key-7', day + 1, 3)]);
      const rows = await stores.usage.rows('org', day, day + 2);
      assert.equal(rows.length, 1_201);
      const charged = { counted: 0, countedTexts: 0, countedTokens: 0, cost: 0 };
      const own = { keyId: 'key-7', model: 'test-model', ...charged };
      const sums = { cached: 2, failed: 4, texts: 6, tokens: 8_000_000_000, truncated: 6 };
      const next = { cached: 1, failed: 2, texts: 3, tokens: 4_000_000_000, truncated: 3 };
      assert.deepEqual(
        rows.filter(({ keyId }) => keyId === 'key-7'),
        [
          { ...own, ...sums, day },
          { ...own, ...next, day: day + 1 },
        ],
      );
    });

    test('a batch that is sent again counts once, even after a later one', async () => {
      const batch = (number: number, texts: number, writerId = 'a writer') =>
        batchOf({ days: [{ ...delta('key-batch', day, texts), orgId: 'other' }] }, writerId, number);
      for (const [number, texts] of [
        [1, 1],
        [1, 1],
        [2, 10],
        [1, 1],
        [2, 10],
        [5, 100],
        [4, 1_000],
      ] as const) {
        await stores.usage.add(batch(number, texts));
      }
      await stores.usage.add(batch(1, 10_000, 'another writer'));
      const [row] = await stores.usage.rows('other', day, day + 1);
      assert.equal(row?.texts, 10_111);
    });

    test('writers that have not written for long are deleted, a few at a time', async () => {
      for (const writer of ['w1', 'w2', 'w3']) await stores.usage.add(batchOf({}, writer));
      await stores.requestLog.pruneWriters(1);
      await stores.usage.add(batchOf({ days: [delta('key-w', day, 1)] }, 'w1'));
      assert.equal(
        (await stores.usage.rows('org', day, day + 1)).find((row) => row.keyId === 'key-w'),
        undefined,
      );
      await stores.requestLog.pruneWriters(Number.MAX_SAFE_INTEGER);
      const days = [{ ...delta('key-w', day + 9, 1), orgId: 'other' }];
      await stores.usage.add(batchOf({ days }, 'w1'));
      assert.equal((await stores.usage.rows('other', day + 9, day + 10)).length, 1);
    });

    test('nothing is kept of an organization that is deleted or never existed', async () => {
      await insertOrganization('gone');
      const of = (orgId: string) => ({ ...delta('key-gone', day, 1), orgId });
      await addUsage(stores.usage, [of('gone')]);
      assert.equal((await stores.usage.rows('gone', day, day + 1)).length, 1);
      await stores.organizations.delete('gone');
      await finishDeletions(stores);
      await addUsage(stores.usage, [of('gone'), of('never'), { ...of('other'), keyId: 'key-stays' }]);
      assert.deepEqual(await stores.usage.rows('gone', 0, day + 2), []);
      assert.deepEqual(await stores.usage.rows('never', 0, day + 2), []);
      const others = await stores.usage.rows('other', day, day + 1);
      assert.ok(others.some(({ keyId }) => keyId === 'key-stays'));
    });

    test('flushes and usage records during a deletion leave nothing of the organization', async () => {
      const keyIds = Array.from({ length: 20 }, (_, i) => `key-${i}`);
      for (let round = 0; round < 4; round += 1) {
        const orgId = `deleted_${round}`;
        await insertOrganization(orgId);
        const ledger = new Ledger(stores.ledger, clock);
        const work = keyIds.map(async (keyId, i) => {
          await ledger.reserve(orgId, askOf(keyId)).catch(() => {});
          await addUsage(stores.usage, [{ ...delta(keyId, day, i), orgId }]);
          await ledger.reserve(orgId, askOf(keyId)).catch(() => {});
        });
        await Promise.all([...work, stores.organizations.delete(orgId)]);
        await finishDeletions(stores);
        assert.deepEqual(await stores.usage.rows(orgId, 0, day + 2), []);
      }
    });

    test('a report includes what was recorded before it, even behind other waiting reports', async () => {
      const recorder = recorderOf(stores.usage, assert.ifError);
      const line = lineOf({ orgId: 'other', keyId: 'key-recorder', at: clock.now() });
      const done: string[] = [];
      const flush = (name: string) => recorder.flush().then(() => done.push(name));
      recorder.recordLine(line);
      const first = flush('first');
      await new Promise(setImmediate);
      recorder.recordLine(line);
      await Promise.all([
        first,
        flush('second'),
        flush('third').then(() => assert.deepEqual(done, ['first', 'second', 'third'])),
      ]);
      const rows = await stores.usage.rows('other', day, day + 1);
      assert.equal(rows.find(({ keyId }) => keyId === 'key-recorder')?.failed, 2);
      await recorder.flush();
    });

    test('a month’s report has only its own days and no other organization’s', async () => {
      await addUsage(stores.usage, [delta('key-7', dayOf(Date.parse('2026-12-01T00:00:00Z')), 100)]);
      await addUsage(stores.usage, [{ ...delta('key-7', day, 100), orgId: 'other' }]);
      const report = await monthReport(stores.usage, 'org', clock.now());
      assert.equal(report.byKey.length, 1_200);
      assert.equal(report.totals.texts, 1_208);
      assert.equal(report.byKey.find(({ keyId }) => keyId === 'key-7')?.texts, 9);
      assert.equal((await monthReport(stores.usage, 'nobody', clock.now())).totals.texts, 0);
    });

    test('sums of past months equal the days that they are made of', async () => {
      const orgId = 'org_rolled';
      await insertOrganization(orgId);
      const first = dayOf(Date.parse('2026-08-01T00:00:00Z'));
      const days = ['2026-08-01', '2026-08-31', '2026-10-01', '2026-10-15', '2026-10-31', '2026-11-01'];
      await addUsage(
        stores.usage,
        ['test-model', 'other-model'].flatMap((model) =>
          days.flatMap((text, i) =>
            ['key-a', 'key-b'].map((id) => ({ ...delta(id, at(text), i + 1), orgId, model })),
          ),
        ),
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
            await usage.totalsByDay(orgId, from, end, ['key-a']),
            await usage.totalsByModel(orgId, from, end, null),
            await usage.totalsByModel(orgId, from, end, ['key-a']),
          ]),
        );
      const before = await read();
      assert.deepEqual(
        before[0]?.[1]?.map(({ texts }) => texts),
        [4, 8, 12, 16, 20, 24],
      );
      assert.deepEqual(
        before[0]?.[3]?.map((totals) => 'model' in totals && [totals.model, totals.texts]),
        [
          ['other-model', 42],
          ['test-model', 42],
        ],
      );
      assert.deepEqual(
        before[0]?.[4]?.map(({ texts }) => texts),
        [21, 21],
      );
      const report = async () =>
        (await usage.totalsByKey(orgId, at('2026-10-01'), at('2026-11-01')))[0]?.texts;
      const october = await report();
      await addUsage(usage, [{ ...delta('key-a', at('2026-10-20'), 7), orgId, model: 'test-model' }]);
      assert.equal(await report(), october! + 7);
    });

    const at = (iso: string) => dayOf(Date.parse(`${iso}T00:00:00Z`));

    test('what is given back leaves the sums of its month and day, in each unit', async () => {
      const orgId = 'org_late';
      await insertOrganization(orgId);
      const ledger = new Ledger(stores.ledger, clock);
      clock.set('2026-11-30T10:00:00Z');
      const reservation = await ledger.reserve(orgId, askOf('key-a', { texts: 3, tokens: 50 }));
      await ledger.reserve(orgId, askOf('key-a', { requests: 0, texts: 1, tokens: 5 }));
      clock.set('2026-12-05T10:00:00Z');
      const read = async () => {
        const [key] = await stores.usage.totalsByKey(orgId, at('2026-11-01'), at('2026-12-01'));
        const [day] = await stores.usage.totalsByDay(orgId, at('2026-11-01'), at('2026-12-01'), null);
        const [record] = await stores.usage.rows(orgId, at('2026-11-30'), at('2026-12-01'));
        const counted = [key, day, record].map((of) => [of?.counted, of?.countedTexts, of?.countedTokens]);
        assert.deepEqual(counted, Array(3).fill(counted[0]));
        return counted[0];
      };
      assert.deepEqual(await read(), [1, 4, 55]);
      const settled = await ledger.settle(reservation, { ...reservation.units, tokens: 40 });
      assert.deepEqual(await read(), [1, 4, 45]);
      await ledger.giveBack(settled);
      assert.deepEqual(await read(), [0, 1, 5]);
    });

    test('the figures of a report agree while requests are counted', async () => {
      const orgId = 'org_moving';
      await insertOrganization(orgId);
      const ledger = new Ledger(stores.ledger, clock);
      const closing = new AbortController();
      const load = ['key-a', 'key-b', 'key-c'].map(async (keyId) => {
        while (!closing.signal.aborted) await ledger.reserve(orgId, askOf(keyId));
      });
      const sum = (rows: readonly { counted: number }[] = []) =>
        rows.reduce((all, { counted }) => all + counted, 0);
      const seen = new Set<number>();
      for (let i = 0; i < 60 || seen.size < 2; i += 1) {
        const found = await stores.usage.snapshot(orgId, {
          byKey: ['month', 'month'],
          byDay: [{ days: 'month', keyIds: null }],
          pace: true,
        });
        assert.ok(found);
        const { used } = standingIn(found, standardTiers);
        const figures = [...found.byKey.map(sum), ...found.byDay.map(sum), found.pace?.counted];
        assert.deepEqual(
          figures,
          figures.map(() => used),
        );
        seen.add(used);
      }
      closing.abort();
      await Promise.all(load);
    });

    test('after the clock was set back over the end of a month, a report covers the month of the ledger', async () => {
      const orgId = 'org_back';
      await insertOrganization(orgId);
      const ledger = new Ledger(stores.ledger, clock);
      const nowMs = clock.nowMs;
      clock.set('2027-05-31T23:59:00Z');
      for (let i = 0; i < 3; i += 1) await ledger.reserve(orgId, askOf('key-a'));
      clock.set('2027-06-01T00:01:00Z');
      for (let i = 0; i < 2; i += 1) await ledger.reserve(orgId, askOf('key-a'));
      clock.set('2027-05-31T23:59:00Z');
      const found = await stores.usage.snapshot(orgId, { byKey: ['month'], byDay: [], pace: false });
      assert.equal(found?.monthStartMs, Date.parse('2027-06-01T00:00:00Z'));
      assert.equal(found && standingIn(found, standardTiers).used, 2);
      assert.equal(found?.byKey[0]?.[0]?.counted, 2);
      clock.nowMs = nowMs;
    });

    test('a limit with another window counts in it from then on, and the month keeps counting', async () => {
      const orgId = 'org_windows';
      const change = async (amount: number, window: 'day' | 'month' | 'hour') => {
        const organization = await stores.organizations.get(orgId);
        await stores.organizations.setTier(organization, 'enterprise', { amount, window }, []);
      };
      await insertOrganization(orgId);
      const ledger = new Ledger(stores.ledger, clock);
      const use = async (times: number) => {
        for (let i = 0; i < times; i += 1) await ledger.reserve(orgId, askOf('key-a'));
        return (await ledger.readStanding(orgId)).used;
      };
      await change(100, 'month');
      assert.equal(await use(4), 4);
      await change(100, 'day');
      assert.equal(await use(0), 0);
      assert.equal(await use(2), 2);
      await change(100, 'hour');
      assert.equal(await use(1), 1);
      await change(100, 'day');
      assert.equal(await use(0), 2);
      await change(100, 'month');
      assert.equal(await use(0), 7);
    });
  });
}
