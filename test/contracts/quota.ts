import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fixedKeyring, generateSigningKey } from '../../src/keys/keyring.ts';
import { Keys } from '../../src/keys/keys.ts';
import { type Organizations, organizationsWith } from '../../src/organizations/organizations.ts';
import { currentRow, type Standing } from '../../src/quota/decide.ts';
import { isApplied } from '../../src/quota/ledger-store.ts';
import type { QuotaLimit } from '../../src/quota/tiers.ts';
import { dayOf } from '../../src/quota/window.ts';
import type { Stores } from '../../src/service/stores.ts';
import { askOf } from '../helpers/asks.ts';
import { TestClock } from '../helpers/clock.ts';
import { at, type QuotaCase, quotaCases } from './quota-cases.ts';
import type { OpenStores } from './stores.ts';

/** Checks the standing after a decision. */
export function assertStanding(
  standing: Standing,
  { limit, used, window, startsAt, resetsAt, now }: QuotaCase,
): void {
  assert.deepEqual(standing, {
    limit,
    used,
    unit: 'requests',
    window,
    startMs: at(startsAt),
    resetsAtMs: at(resetsAt),
    asOfMs: at(now),
  });
}

/** Checks that a database decides and counts every case of the quota rule as listed. */
export function quotaContract(name: string, open: OpenStores): void {
  describe(`the quota rule on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    let stores: Stores;
    let organizations: Organizations;
    before(async () => {
      stores = await open(clock);
      const keys = new Keys(stores.keys, fixedKeyring([generateSigningKey()]), clock);
      organizations = organizationsWith(stores.organizations, keys, clock);
    });
    after(() => stores.close());

    const flush = async (orgId: string, keyIds: readonly string[]) => {
      const runs = keyIds.map((keyId) => ({ ask: askOf(keyId), count: 1 }));
      const [outcome] = await stores.ledger.flush([{ orgId, runs, returns: [] }]);
      assert.ok(isApplied(outcome));
      return { ...outcome, granted: outcome.decided.reduce((sum, { granted }) => sum + granted, 0) };
    };

    /** Creates an organization with the counts of the case, and then sets its limit. */
    const organizationOf = async ({ limit, window, before }: QuotaCase) => {
      const room: QuotaLimit = { amount: 1_000, window: before?.window ?? window };
      const { orgId } = await organizations.create({ name: 'test', tier: 'enterprise', custom: room });
      if (before) {
        clock.set(before.at);
        const { granted } = await flush(orgId, Array(before.used).fill('before'));
        assert.equal(granted, before.used);
      }
      const custom = limit === null ? null : { amount: limit, window };
      await organizations.setTier(orgId, 'enterprise', custom);
      return orgId;
    };

    const keyIds = ['a', 'b'];
    for (const expected of quotaCases) {
      test(`${expected.name}`, async () => {
        const orgId = await organizationOf(expected);
        clock.set(expected.now);
        const asks = Array.from({ length: expected.asks }, (_, i) => keyIds[i % keyIds.length]!);
        const { granted, receipt, standing } = await flush(orgId, asks);
        assert.equal(granted, expected.granted);
        assertStanding(standing, expected);
        assert.deepEqual(await stores.ledger.standings(orgId, ['']), { quota: standing, limits: null });

        const found = await stores.usage.snapshot(orgId, { byKey: [], byDay: [], pace: false });
        const row = found?.windows.find(({ kind }) => kind === 'month');
        const month = currentRow('month', row, clock.now());
        assert.equal(month.used, expected.monthUsed ?? expected.used);
        assert.equal(month.startMs, receipt.monthStartMs);

        const rows = await stores.usage.rows(orgId, dayOf(month.startMs), dayOf(at('2100-01-01T00:00:00Z')));
        const counted = rows.map((row) => row.counted).reduce((sum, count) => sum + count, 0);
        assert.equal(counted, month.used);
        const now = rows.filter(({ keyId }) => keyId !== 'before');
        const byKey = Map.groupBy(asks.slice(0, granted), (keyId) => keyId);
        assert.deepEqual(
          now.map(({ keyId, day, counted }) => ({ keyId, day, counted })),
          [...byKey].map(([keyId, { length }]) => ({ keyId, day: receipt.day, counted: length })),
        );
        assert.equal(receipt.day, dayOf(Math.max(clock.now(), month.startMs)));
      });
    }
  });
}
