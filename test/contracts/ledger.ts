import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ServiceError } from '../../src/errors.ts';
import { fixedKeyring, generateSigningKey } from '../../src/keys/keyring.ts';
import { Keys } from '../../src/keys/keys.ts';
import { type Organizations, organizationsWith } from '../../src/organizations/organizations.ts';
import { Ledger } from '../../src/quota/ledger.ts';
import type { Reservation } from '../../src/quota/ledger-store.ts';
import type { QuotaLimit } from '../../src/quota/tiers.ts';
import type { Stores } from '../../src/service/stores.ts';
import { askOf } from '../helpers/asks.ts';
import { TestClock } from '../helpers/clock.ts';
import { monthReport } from '../helpers/month-report.ts';
import type { OpenStores } from './stores.ts';

/** What every database's ledger guarantees. The organizations are created by the code that the service uses. */
export function ledgerContract(name: string, open: OpenStores): void {
  describe(`ledger on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    let stores: Stores;
    let ledger: Ledger;
    let organizations: Organizations;

    before(async () => {
      stores = await open(clock);
      ledger = new Ledger(stores.ledger, clock);
      const keyring = fixedKeyring([generateSigningKey()]);
      organizations = organizationsWith(stores.organizations, new Keys(stores.keys, keyring, clock), clock);
    });
    after(async () => {
      await ledger.close();
      await stores.close();
    });

    const organization = async (tier: string, custom: QuotaLimit | null = null) =>
      (await organizations.create({ name: 'test', tier, custom })).orgId;
    const limitedTo = (amount: number, window: QuotaLimit['window'] = 'month') =>
      organization('enterprise', { amount, window });

    /** Sends many concurrent requests; returns the granted ones and the number of 429s. */
    const ask = async (orgId: string, keyIds: readonly string[]) => {
      const outcomes = await Promise.allSettled(keyIds.map((keyId) => ledger.reserve(orgId, askOf(keyId))));
      const granted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const refused = outcomes.filter(
        (outcome) => outcome.status === 'rejected' && isRefusal(outcome.reason),
      );
      assert.equal(granted.length + refused.length, keyIds.length);
      return { granted, refused: refused.length };
    };
    const times = (count: number, keyId: string) => Array.from({ length: count }, () => keyId);

    /** The invariant: the ledger's row is the sum of the keys' counted requests. */
    const assertReconciled = async (orgId: string, used: number) => {
      const report = await monthReport(stores.usage, orgId, clock.now());
      assert.equal(report.totals.counted, used);
    };

    test('2,000 concurrent requests of several keys against a limit of 777 grant exactly 777', async () => {
      const orgId = await limitedTo(777);
      const keyIds = Array.from({ length: 2_000 }, (_, i) => `key-${i % 7}`);
      const { granted, refused } = await ask(orgId, keyIds);
      assert.equal(granted.length, 777);
      assert.equal(refused, 1_223);
      assert.equal((await ledger.standing(orgId)).used, 777);
      await assertReconciled(orgId, 777);
    });

    test('a tier without a custom limit grants exactly its requests, in one run or in many', async () => {
      const orgId = await organization('free');
      assert.equal((await ask(orgId, times(9_990, 'k'))).granted.length, 9_990);
      assert.equal((await ask(orgId, times(20, 'k'))).granted.length, 10);
      assert.equal((await ask(orgId, ['k', 'l', 'k'])).granted.length, 0);
      await assertReconciled(orgId, 10_000);
    });

    test('there is ample room only if a standing is known that leaves much of the limit', async () => {
      const [roomy, narrow, free] = [
        await limitedTo(1_102),
        await limitedTo(1_000),
        await organization('enterprise'),
      ];
      const ask = askOf('k');
      assert.equal(ledger.hasAmpleRoom(roomy, ask), false, 'nothing is known yet');
      for (const orgId of [roomy, narrow, free]) await ledger.reserve(orgId, ask);
      assert.deepEqual(
        [roomy, narrow, free].map((orgId) => ledger.hasAmpleRoom(orgId, ask)),
        [true, false, true],
      );
      await ledger.reserve(roomy, ask);
      await ledger.reserve(roomy, ask);
      assert.equal(ledger.hasAmpleRoom(roomy, ask), false);
    });

    test('the first requests to arrive are granted', async () => {
      const orgId = await limitedTo(3);
      const { granted } = await ask(orgId, ['a', 'b', 'c', 'd', 'e']);
      assert.deepEqual(
        granted.map(({ keyId }) => keyId),
        ['a', 'b', 'c'],
      );
    });

    test('a refusal has the time of the reset and the seconds until then', async () => {
      const orgId = await limitedTo(0);
      await assert.rejects(ledger.reserve(orgId, askOf('k')), (reason) => {
        assert.ok(reason instanceof ServiceError);
        assert.equal(reason.code, 'rate_limit_exceeded');
        assert.equal(reason.message, 'Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z');
        assert.equal(reason.retryAfterSeconds, (Date.parse('2026-12-01T00:00:00Z') - clock.now()) / 1_000);
        return true;
      });
      const perMinute = await limitedTo(0, 'minute');
      await assert.rejects(ledger.reserve(perMinute, askOf('k')), {
        message: 'Rate limit exceeded. Resets on 2026-11-21T03:01:00Z',
      });
    });

    test('an unknown organization is granted nothing', async () => {
      await assert.rejects(ledger.reserve('org_none', askOf('k')), { code: 'invalid_api_key' });
    });

    test('released units can be granted again, and no more than those', async () => {
      const orgId = await limitedTo(5);
      const { granted } = await ask(orgId, times(5, 'k'));
      await Promise.all(granted.slice(0, 2).map((reservation) => ledger.giveBack(reservation)));
      assert.equal((await ledger.standing(orgId)).used, 3);
      await assertReconciled(orgId, 3);
      assert.equal((await ask(orgId, times(5, 'k'))).granted.length, 2);
      await assertReconciled(orgId, 5);
    });

    test('the month changes exactly at its boundary, under concurrency, without a unit lost or granted twice', async () => {
      const orgId = await limitedTo(100);
      clock.set('2026-11-30T23:59:59.999Z');
      const november = await ask(orgId, times(60, 'k'));
      clock.set('2026-12-01T00:00:00.000Z');
      const [december] = await Promise.all([
        ask(orgId, times(150, 'k')),
        ...november.granted.slice(0, 10).map((reservation) => ledger.giveBack(reservation)),
      ]);
      assert.equal(november.granted.length, 60);
      assert.equal(december.granted.length, 100);
      assert.equal((await ledger.readStanding(orgId)).used, 100);
      await assertReconciled(orgId, 100);
      const before = await monthReport(stores.usage, orgId, Date.parse('2026-11-15T00:00:00Z'));
      assert.equal(before.totals.counted, 50);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a unit released after its window has passed changes no other window', async () => {
      const orgId = await limitedTo(2, 'second');
      const { granted } = await ask(orgId, times(2, 'k'));
      clock.advance(1_000);
      await ask(orgId, times(1, 'k'));
      await ledger.giveBack(granted[0] as Reservation);
      assert.equal((await ledger.readStanding(orgId)).used, 1);
      await assertReconciled(orgId, 2);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a tier change applies from the next request on, and used units stay used', async () => {
      const orgId = await limitedTo(5);
      await ask(orgId, times(5, 'k'));
      assert.equal((await ask(orgId, ['k'])).granted.length, 0);
      await organizations.setTier(orgId, 'pro', null);
      assert.equal((await ask(orgId, ['k'])).granted.length, 1);
      assert.deepEqual(
        { limit: (await ledger.readStanding(orgId)).limit, used: (await ledger.readStanding(orgId)).used },
        { limit: 100_000, used: 6 },
      );
      await organizations.setTier(orgId, 'enterprise', { amount: 6, window: 'month' });
      assert.equal((await ask(orgId, ['k'])).granted.length, 0);
      await organizations.setTier(orgId, 'enterprise', null);
      assert.equal((await ask(orgId, ['k'])).granted.length, 1);
      await assertReconciled(orgId, 7);
    });

    test('many organizations share a flush, each with its own limit', async () => {
      const orgIds = await Promise.all(Array.from({ length: 20 }, (_, i) => limitedTo(i)));
      const granted = await Promise.all(orgIds.map((orgId) => ask(orgId, times(15, 'k'))));
      assert.deepEqual(
        granted.map((outcome) => outcome.granted.length),
        orgIds.map((_, i) => Math.min(i, 15)),
      );
    });
  });
}

function isRefusal(reason: unknown): boolean {
  if (reason instanceof ServiceError && reason.code === 'rate_limit_exceeded') return true;
  throw reason;
}
