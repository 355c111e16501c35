import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allRows } from '../../src/lib/page.ts';
import type { Stores } from '../../src/service/stores.ts';
import { pruneExcess, pruneRequests } from '../../src/usage/prune-requests.ts';
import { type HourlyUsage, type RequestEntry, requestList } from '../../src/usage/request-log.ts';
import { TestClock } from '../helpers/clock.ts';
import { batchOf, finishDeletions, organizationRow } from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

const hourMs = 3_600_000;

/** What every database guarantees about the request log and the usage by hour. */
export function requestLogContract(name: 'SQLite' | 'Postgres', open: OpenStores): void {
  describe(`the request log on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    const nowMs = clock.now();
    let stores: Stores;
    before(async () => {
      stores = await open(clock);
      for (const orgId of ['logged', 'many', 'doomed'])
        await stores.organizations.insert(organizationRow(orgId));
    });
    after(() => stores.close());

    type NewEntry = Omit<RequestEntry, 'entryId'>;
    const entry = (more: Partial<NewEntry>): NewEntry => ({
      orgId: 'logged',
      at: nowMs,
      requestId: 'a "request"',
      keyId: 'key',
      userId: null,
      model: 'ünusual',
      status: 429,
      error: 'rate_limit_exceeded',
      outcome: 'refused',
      texts: 3,
      tokens: 4_000_000_000,
      latencyMs: 1.25,
      queueMs: 0,
      limitId: null,
      param: 'input',
      ...more,
    });
    const usage = (more: Partial<HourlyUsage>): HourlyUsage => ({
      orgId: 'logged',
      hour: Math.floor(nowMs / hourMs),
      keyId: 'key',
      model: 'm',
      outcome: 'counted',
      error: '',
      latencyClass: 7,
      requests: 2,
      texts: 3,
      countedTexts: 2,
      tokens: 4_000_000_000,
      countedTokens: 3_000_000_000,
      cost: 5_000_000_000,
      truncated: 0,
      ...more,
    });
    const write = (entries: readonly NewEntry[], hours: readonly HourlyUsage[] = []) =>
      stores.usage.add(batchOf({ entries, hours }));
    const stored = async (orgId: string) => {
      const page = { ...requestList.request({}), limit: 10_000 };
      return (await stores.requestLog.page(orgId, {}, page)).data;
    };
    const hoursOf = (orgId: string) =>
      stores.requestLog.hours(orgId, { firstHour: 0, endHour: 1e6, keyIds: null, hoursPerPlace: 24 });
    const { signal } = new AbortController();
    const prune = (maxRows: number) =>
      pruneRequests(stores.requestLog, { nowMs, maxAgeMs: 7 * 86_400_000, maxRows }, signal);

    test('a batch is written once, adds up by hour, and leaves out organizations that don’t exist', async () => {
      const [one, gone] = [entry({}), entry({ orgId: 'nobody' })];
      const batch = batchOf({ entries: [one, gone], hours: [usage({}), usage({ orgId: 'nobody' })] });
      await stores.usage.add(batch);
      await stores.usage.add(batch);
      const found = await stored('logged');
      assert.deepEqual(found, [{ ...one, keyName: null, orgName: 'Acme', entryId: found[0]?.entryId }]);
      assert.deepEqual(await stored('nobody'), []);
      await write([], [usage({}), usage({ latencyClass: 9 }), usage({ outcome: 'refused', error: 'e' })]);
      const { series, latencies, errors } = await hoursOf('logged');
      const [{ place, ...figures } = { place: 0 }] = series;
      assert.equal(place, Math.floor(nowMs / 86_400_000));
      assert.deepEqual(figures, {
        counted: 6,
        countedTexts: 8,
        countedTokens: 12_000_000_000,
        cost: 20_000_000_000,
        cached: 0,
        failed: 2,
        texts: 12,
        tokens: 16_000_000_000,
        truncated: 0,
      });
      assert.deepEqual(latencies.map(({ latencyClass, requests }) => [latencyClass, requests]).sort(), [
        [7, 4],
        [9, 2],
      ]);
      assert.deepEqual(errors, [{ error: 'e', requests: 2 }]);
      const groups = await stores.requestLog.groups('logged', {
        by: 'key',
        firstDay: 0,
        endDay: 1e5,
        keyIds: null,
        isHourly: true,
      });
      assert.deepEqual(
        groups.map((group) => [group.name, group.counted, group.failed]),
        [['key', 6, 2]],
      );
    });

    test('old entries and hours are pruned, and those beyond the maximum, the oldest first', async () => {
      const old = Array.from({ length: 600 }, () => entry({ at: nowMs - 8 * 86_400_000 }));
      const oldHours = Array.from({ length: 300 }, (_, i) =>
        usage({ hour: Math.floor(nowMs / hourMs) - 36 * 24, keyId: `key-${i}` }),
      );
      await write(old, oldHours);
      const many = Array.from({ length: 900 }, (_, i) => entry({ orgId: 'many', at: nowMs - i }));
      await write(many);
      await prune(10_000);
      assert.deepEqual([(await stored('logged')).length, (await stored('many')).length], [1, 900]);
      assert.equal((await hoursOf('logged')).series.length, 1);
      await pruneExcess(stores.requestLog, 'many', 900, signal);
      assert.equal((await stored('many')).length, 900);
      await pruneExcess(stores.requestLog, 'many', 100, signal);
      assert.deepEqual(
        (await stored('many')).map(({ at }) => at),
        Array.from({ length: 100 }, (_, i) => nowMs - i),
      );
      // The newest entries were written last.
      await write(Array.from({ length: 20 }, () => entry({})));
      await prune(20);
      assert.deepEqual([(await stored('logged')).length, (await stored('many')).length], [20, 0]);
    });

    test('entries that a clock dated into the future don’t keep those that are too old', async () => {
      await write(Array.from({ length: 300 }, () => entry({ at: nowMs + 300 * 86_400_000 })));
      await write(Array.from({ length: 300 }, () => entry({ at: nowMs - 30 * 86_400_000 })));
      await prune(10_000);
      assert.ok((await stored('logged')).every(({ at }) => at === nowMs));
    });

    test('pages list each request of the same millisecond once, in an order that doesn’t show how they were counted', async () => {
      const names = Array.from({ length: 30 }, (_, i) => `${i}`);
      await write(names.map((requestId) => entry({ orgId: 'many', at: nowMs + 1, requestId })));
      const filter = { fromMs: nowMs + 1 };
      const found = await allRows((query) =>
        stores.requestLog.page('many', filter, { ...requestList.request(query), limit: 7 }),
      );
      const listed = found.map(({ requestId }) => requestId);
      assert.deepEqual(new Set(listed), new Set(names));
      assert.equal(new Set(found.map(({ entryId }) => entryId)).size, 30);
      assert.notDeepEqual(listed, names);
      assert.notDeepEqual(listed, names.toReversed());
      // Cursors are not signed, so they can have any number.
      const after = [nowMs + 1, Number.MAX_SAFE_INTEGER];
      const page = await stores.requestLog.page('many', filter, { ...requestList.request({}), after });
      assert.equal(page.data.length, 20);
    });

    test('a search by key or request finds nothing of another organization', async () => {
      await write([entry({ requestId: 'shared', keyId: 'key' })]);
      for (const filter of [{ requestId: 'shared' }, { keyId: 'key' }]) {
        const page = await stores.requestLog.page('many', filter, requestList.request({}));
        assert.deepEqual(page.data, []);
      }
    });

    test('all rows are deleted with the organization, and none are written after that', async () => {
      const rows = Array.from({ length: 600 }, (_, i) => entry({ orgId: 'doomed', at: nowMs + (i % 3) }));
      const hours = Array.from({ length: 600 }, (_, i) => usage({ orgId: 'doomed', model: `m${i}` }));
      await write(rows, hours);
      await stores.organizations.delete('doomed');
      await finishDeletions(stores);
      await write([entry({ orgId: 'doomed' })], [usage({ orgId: 'doomed' })]);
      assert.deepEqual(await stored('doomed'), []);
      assert.deepEqual((await hoursOf('doomed')).series, []);
    });
  });
}
