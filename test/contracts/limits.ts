import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { fixedKeyring, generateSigningKey } from '../../src/keys/keyring.ts';
import { Keys } from '../../src/keys/keys.ts';
import { allRows } from '../../src/lib/page.ts';
import { type Organizations, organizationsWith } from '../../src/organizations/organizations.ts';
import type { Ask } from '../../src/quota/ask.ts';
import { Ledger } from '../../src/quota/ledger.ts';
import type { Reservation } from '../../src/quota/ledger-store.ts';
import { countedUnits, type LimitStanding, noUnits, type Units, userScope } from '../../src/quota/limit.ts';
import type { LimitFilter } from '../../src/quota/stored-limit-use.ts';
import { dayOf, windowAt, windowKinds } from '../../src/quota/window.ts';
import type { Stores } from '../../src/service/stores.ts';
import { askOf } from '../helpers/asks.ts';
import { TestClock } from '../helpers/clock.ts';
import { monthReport } from '../helpers/month-report.ts';
import { userRow } from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

/** The limits of an organization and its keys, with the ledger that counts in them. */
export function limitsContract(name: string, open: OpenStores): void {
  describe(`limits on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    let stores: Stores;
    let ledger: Ledger;
    let organizations: Organizations;
    let keys: Keys;
    let limits: Stores['limits'];

    before(async () => {
      stores = await open(clock);
      ledger = new Ledger(stores.ledger, clock);
      keys = new Keys(stores.keys, fixedKeyring([generateSigningKey()]), clock);
      organizations = organizationsWith(stores.organizations, keys, clock);
      limits = stores.limits;
      // One person, who has created every key unless another name is given.
      await stores.users.insert(userRow('user'));
    });
    after(async () => {
      await ledger.close();
      await stores.close();
    });

    const organization = async (custom: { amount: number; window: 'month' | 'day' } | null = null) => {
      const { orgId } = await organizations.create({ name: 'test', tier: 'enterprise', custom });
      await stores.members.add(orgId, 'user', 'member');
      return orgId;
    };
    const newKey = async (orgId: string, userId = 'user') =>
      (await keys.create({ orgId, userId, name: 'key' })).key.keyId;
    const usedOf = async (orgId: string, keyId: string | null, userId: string | null = null) =>
      (await limits.list(orgId, { keyId, userId })).map(({ used }) => used);

    test('a request counts in the quota and in every limit that applies to it', async () => {
      const orgId = await organization();
      const [keyId, otherKeyId] = [await newKey(orgId), await newKey(orgId)];
      await limits.add(orgId, { keyId: null, unit: 'texts', window: 'day', amount: 100 });
      await limits.add(orgId, { keyId, unit: 'tokens', window: 'minute', amount: 1_000 });
      await limits.add(orgId, { keyId: otherKeyId, unit: 'requests', window: 'hour', amount: 5 });
      await ledger.reserve(orgId, askOf(keyId, { texts: 3, tokens: 50 }));
      assert.equal((await ledger.readStanding(orgId)).used, 1);
      assert.deepEqual(await usedOf(orgId, null), [3]);
      assert.deepEqual(await usedOf(orgId, keyId), [50]);
      assert.deepEqual(await usedOf(orgId, otherKeyId), [0]);
    });

    test('a refusal names the scope, the unit and the window, and counts in nothing', async () => {
      const orgId = await organization();
      const keyId = await newKey(orgId);
      await limits.add(orgId, { keyId: null, unit: 'requests', window: 'day', amount: 10 });
      await limits.add(orgId, { keyId, unit: 'tokens', window: 'minute', amount: 100 });
      await ledger.reserve(orgId, askOf(keyId, { tokens: 60 }));
      await assert.rejects(ledger.reserve(orgId, askOf(keyId, { tokens: 41 })), {
        code: 'rate_limit_exceeded',
        message: 'Token limit per minute exceeded for this key. Resets on 2026-11-21T03:01:00Z',
        retryAfterSeconds: 60,
      });
      assert.deepEqual(await usedOf(orgId, null), [1]);
      assert.equal((await ledger.readStanding(orgId)).used, 1);
      await ledger.reserve(orgId, askOf(keyId, { tokens: 40 }));
      assert.deepEqual(await usedOf(orgId, keyId), [100]);
    });

    test('a request that no window has room for is invalid', async () => {
      const orgId = await organization();
      await limits.add(orgId, { keyId: null, unit: 'texts', window: 'hour', amount: 10 });
      await assert.rejects(ledger.reserve(orgId, askOf('k', { texts: 11 })), {
        code: 'invalid_request',
        message: 'The request has 11 texts, but this organization may use at most 10 per hour',
      });
    });

    test('of several exceeded limits, the refusal names the one that resets last', async () => {
      const orgId = await organization({ amount: 1, window: 'month' });
      await limits.add(orgId, { keyId: null, unit: 'requests', window: 'minute', amount: 1 });
      await ledger.reserve(orgId, askOf('k'));
      await assert.rejects(ledger.reserve(orgId, askOf('k')), {
        message: 'Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z',
      });
      const windows = ['minute', 'day', 'hour'] as const;
      for (const inOrder of [windows, windows.toReversed()]) {
        const another = await organization();
        for (const window of inOrder) {
          await limits.add(another, { keyId: null, unit: 'requests', window, amount: 1 });
        }
        await ledger.reserve(another, askOf('k'));
        await assert.rejects(ledger.reserve(another, askOf('k')), {
          message: 'Request limit per day exceeded for this organization. Resets on 2026-11-22T00:00:00Z',
        });
      }
    });

    test('a key that replaces another shares its limits', async () => {
      const orgId = await organization();
      const keyId = await newKey(orgId);
      await limits.add(orgId, { keyId, unit: 'requests', window: 'day', amount: 2 });
      const { key } = await keys.rotate(keyId, 60_000);
      const next = await keys.rotate(key.keyId, 60_000);
      assert.equal(next.key.firstKeyId, keyId);
      const shared = (id: string) => ({ ...askOf(id), limitsKeyId: keyId });
      await ledger.reserve(orgId, shared(keyId));
      await ledger.reserve(orgId, shared(next.key.keyId));
      await assert.rejects(ledger.reserve(orgId, shared(key.keyId)), { code: 'rate_limit_exceeded' });
      assert.deepEqual(await usedOf(orgId, next.key.keyId), [2]);
    });

    test('a limit of a person counts the requests of all keys that they created, and their own', async () => {
      const orgId = await organization();
      const [a, b, ofAnother] = [await newKey(orgId), await newKey(orgId), await newKey(orgId, 'another')];
      await limits.add(orgId, { userId: 'user', unit: 'requests', window: 'day', amount: 3 });
      await limits.add(orgId, { keyId: b, unit: 'requests', window: 'day', amount: 3 });
      const session = { ...askOf('user'), limitsKeyId: userScope('user'), limitsUserId: null };
      await ledger.reserve(orgId, askOf(a));
      await ledger.reserve(orgId, askOf(b));
      await ledger.reserve(orgId, session);
      for (const ask of [askOf(a), askOf(b), session])
        await assert.rejects(ledger.reserve(orgId, ask), {
          code: 'rate_limit_exceeded',
          message: 'Request limit per day exceeded for this user. Resets on 2026-11-22T00:00:00Z',
        });
      await ledger.reserve(orgId, { ...askOf(ofAnother), limitsUserId: 'another' });
      assert.deepEqual([await usedOf(orgId, null, 'user'), await usedOf(orgId, b)], [[3], [1]]);
      assert.equal((await ledger.readStanding(orgId)).used, 4);
    });

    test('keys of one chain count in the limits of their own users, also in one flush', async () => {
      const orgId = await organization();
      await limits.add(orgId, { userId: 'user', unit: 'requests', window: 'day', amount: 2 });
      const ask = askOf('k');
      const other = { ...askOf('next'), limitsKeyId: 'k', limitsUserId: 'another' };
      const asked = [...Array(5).fill(ask), other].map((one) => ledger.reserve(orgId, one));
      const statuses = (await Promise.allSettled(asked)).map(({ status }) => status);
      assert.deepEqual(statuses, ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled']);
      assert.deepEqual(await usedOf(orgId, null, 'user'), [2]);
      const { limits: known } = await ledger.standings(orgId, other);
      assert.deepEqual(known, []);
    });

    test('a limit names one key, one member or new keys', async () => {
      const orgId = await organization();
      const limit = { unit: 'requests', window: 'day', amount: 3 } as const;
      const keyId = await newKey(orgId);
      const both = { keyId, userId: 'user' };
      await assert.rejects(limits.add(orgId, { ...limit, ...both }), { code: 'invalid_request' });
      await assert.rejects(limits.add(orgId, { ...limit, keyId, appliesTo: 'new_keys' }), {
        code: 'invalid_request',
      });
      await assert.rejects(limits.add(orgId, { ...limit, userId: 'stranger' }), { code: 'not_found' });
    });

    test('a new key gets the limits for new keys, and a key that replaces another shares its own', async () => {
      const orgId = await organization();
      const before = await newKey(orgId);
      const limit = { appliesTo: 'new_keys', unit: 'requests', window: 'day', amount: 1 } as const;
      const { limitId } = await limits.add(orgId, limit);
      await limits.add(orgId, { ...limit, unit: 'tokens', window: 'minute', amount: 50 });
      assert.equal((await limits.add(orgId, limit)).limitId, limitId);
      const [a, b] = [await newKey(orgId), await newKey(orgId)];
      await limits.setAmount(orgId, limitId, 5);
      await ledger.reserve(orgId, askOf(a));
      await assert.rejects(ledger.reserve(orgId, askOf(a)), { message: /exceeded for this key/ });
      for (const ask of [askOf(b), askOf(before), askOf(before)]) await ledger.reserve(orgId, ask);
      const { key } = await keys.rotate(a, 60_000);
      assert.deepEqual(await usedOf(orgId, key.keyId), await usedOf(orgId, a));
      assert.deepEqual((await usedOf(orgId, a)).toSorted(), [1, 1]);
      assert.deepEqual(await usedOf(orgId, before), []);
      const standing = await limits.list(orgId, { appliesTo: 'new_keys' });
      assert.deepEqual(standing.map(({ used, amount }) => [used, amount]).toSorted(), [
        [0, 5],
        [0, 50],
      ]);
    });

    test('an amount can change, and one limit of each unit and window is allowed', async () => {
      const orgId = await organization();
      const limit = { keyId: null, unit: 'requests', window: 'day', amount: 1 } as const;
      const { limitId } = await limits.add(orgId, limit);
      const again = await limits.add(orgId, { ...limit, amount: 1 });
      assert.deepEqual([again.limitId, again.amount], [limitId, 1]);
      await ledger.reserve(orgId, askOf('k'));
      assert.equal((await limits.setAmount(orgId, limitId, 2)).used, 1);
      await ledger.reserve(orgId, askOf('k'));
      await assert.rejects(ledger.reserve(orgId, askOf('k')), { code: 'rate_limit_exceeded' });
      await limits.remove(orgId, limitId);
      await ledger.reserve(orgId, askOf('k'));
      await assert.rejects(limits.remove(orgId, limitId), { code: 'not_found' });
      await assert.rejects(limits.setAmount(orgId, limitId, 0), { code: 'invalid_request' });
      const another = await organization();
      const { limitId: ofAnother } = await limits.add(another, limit);
      await assert.rejects(limits.remove(orgId, ofAnother), { code: 'not_found' });
    });

    test('a flush that meets a new limit applies asks and returns once', async () => {
      const orgId = await organization();
      const before = await ledger.reserve(orgId, askOf('k'));
      await limits.add(orgId, { keyId: null, unit: 'requests', window: 'day', amount: 2 });
      const decided = await Promise.allSettled([
        ledger.giveBack(before),
        ...Array.from({ length: 3 }, () => ledger.reserve(orgId, askOf('k'))),
      ]);
      assert.deepEqual(
        decided.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
      );
      assert.equal((await ledger.readStanding(orgId)).used, 2);
      assert.deepEqual(await usedOf(orgId, null), [2]);
      const report = await monthReport(stores.usage, orgId, clock.now());
      assert.equal(report.totals.counted, 2);
    });

    test('if the clock is set back, the later windows of the quota and of limits stay in force', async () => {
      const orgId = await organization();
      const keyId = await newKey(orgId);
      await limits.add(orgId, { keyId, unit: 'texts', window: 'hour', amount: 5 });
      clock.set('2026-12-01T00:00:10Z');
      await ledger.reserve(orgId, askOf(keyId, { texts: 2 }));
      clock.set('2026-11-30T23:59:50Z');
      const { receipt } = await ledger.reserve(orgId, askOf(keyId, { texts: 2 }));
      assert.equal(receipt.day, dayOf(Date.parse('2026-12-01T00:00:00Z')));
      assert.deepEqual(await usedOf(orgId, keyId), [4]);
      await assert.rejects(ledger.reserve(orgId, askOf(keyId, { texts: 2 })), {
        message: 'Text limit per hour exceeded for this key. Resets on 2026-12-01T01:00:00Z',
      });
      const { used, startMs } = await ledger.readStanding(orgId);
      assert.deepEqual([used, startMs], [2, Date.parse('2026-12-01T00:00:00Z')]);
      clock.set('2026-12-01T00:00:20Z');
      assert.equal((await monthReport(stores.usage, orgId, clock.now())).totals.counted, 2);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('organizations with limits and without share a flush, each with its own', async () => {
      const orgIds = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((requests) => organization({ amount: requests, window: 'day' })),
      );
      for (const orgId of orgIds.slice(0, 3)) {
        await limits.add(orgId, { keyId: null, unit: 'tokens', window: 'minute', amount: 4 });
      }
      const granted = orgIds.map(async (orgId) => {
        const asks = Array.from({ length: 8 }, (_, i) =>
          ledger.reserve(orgId, askOf(`k${i % 3}`, { tokens: 2 })),
        );
        return (await Promise.allSettled(asks)).map(({ status }) => Number(status === 'fulfilled'));
      });
      const first = (count: number) => Array.from({ length: 8 }, (_, i) => Number(i < count));
      assert.deepEqual(await Promise.all(granted), [1, 2, 2, 4, 5, 6].map(first));
      for (const [i, orgId] of orgIds.entries()) {
        const report = await monthReport(stores.usage, orgId, clock.now());
        assert.equal(report.totals.counted, [1, 2, 2, 4, 5, 6][i]);
      }
    });

    test('a smaller request is granted after a larger one was refused', async () => {
      const orgId = await organization();
      await limits.add(orgId, { keyId: null, unit: 'tokens', window: 'day', amount: 10 });
      const outcomes = await Promise.allSettled(
        [6, 5, 4].map((tokens) => ledger.reserve(orgId, askOf('k', { tokens }))),
      );
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual(await usedOf(orgId, null), [10]);
    });

    test('a further part of a request counts in texts and tokens, and not in requests', async () => {
      const orgId = await organization({ amount: 1, window: 'day' });
      const part = askOf('k', { requests: 0, texts: 2, tokens: 5 });
      await ledger.reserve(orgId, askOf('k'));
      await ledger.giveBack(await ledger.reserve(orgId, part));
      await limits.add(orgId, { keyId: null, unit: 'texts', window: 'day', amount: 3 });
      await ledger.reserve(orgId, part);
      await assert.rejects(ledger.reserve(orgId, part), { code: 'rate_limit_exceeded' });
      assert.deepEqual(await usedOf(orgId, null), [2]);
      assert.equal((await ledger.readStanding(orgId)).used, 1);
      assert.equal((await monthReport(stores.usage, orgId, clock.now())).totals.counted, 1);
    });

    test('a further part of a request is refused by the limit, also while the quota is exceeded', async () => {
      const orgId = await organization({ amount: 2, window: 'month' });
      const part = askOf('k', { requests: 0 });
      for (const _ of [1, 2]) await ledger.reserve(orgId, askOf('k'));
      await organizations.setTier(orgId, 'enterprise', { amount: 1, window: 'month' });
      await limits.add(orgId, { keyId: null, unit: 'texts', window: 'day', amount: 1 });
      await ledger.reserve(orgId, part);
      await assert.rejects(ledger.reserve(orgId, part), { message: /^Text limit per day exceeded/ });
    });

    test('what is known of a key follows what other keys count, give back and settle, and changes of limits', async () => {
      const orgId = await organization();
      const [a, b] = [await newKey(orgId), await newKey(orgId)];
      const limit = { keyId: null, unit: 'tokens', window: 'day', amount: 100 } as const;
      const { limitId } = await limits.add(orgId, limit);
      await limits.add(orgId, { ...limit, keyId: b });
      /** What is used of each limit that applies to the keys. */
      const assertShown = async (ofA: string, ofB: string) => {
        for (const [keyId, expected] of [[a, ofA] as const, [b, ofB] as const]) {
          const { limits } = await ledger.standings(orgId, askOf(keyId));
          assert.equal(limits.map(({ used, amount }) => `${used}/${amount}`).join(' '), expected);
        }
      };
      await assertShown('0/100', '0/100 0/100');
      const reservation = await ledger.reserve(orgId, askOf(b, { tokens: 10 }));
      await assertShown('10/100', '10/100 10/100');
      await ledger.reserve(orgId, askOf(a, { tokens: 5 }));
      await assertShown('15/100', '15/100 10/100');
      const settled = await ledger.settle(reservation, { ...reservation.units, tokens: 20 });
      await assertShown('25/100', '25/100 20/100');
      await ledger.giveBack(settled);
      await assertShown('5/100', '5/100 0/100');
      await limits.setAmount(orgId, limitId, 50);
      await assertShown('5/50', '5/50 0/100');
      await limits.remove(orgId, limitId);
      await assertShown('', '0/100');
      await limits.add(orgId, { ...limit, keyId: a, unit: 'texts' });
      await Promise.all([ledger.reserve(orgId, askOf(a)), ledger.reserve(orgId, askOf(b))]);
      await assertShown('1/100', '1/100');
      await ledger.giveBack(await ledger.reserve(orgId, askOf(b)));
      await assertShown('1/100', '1/100');
      // Both are known now: a further read would return a promise.
      for (const keyId of [a, b]) {
        assert.ok(!(ledger.standings(orgId, askOf(keyId), { lastKnown: true }) instanceof Promise));
      }
    });

    test('units given back or settled after their window has passed change no other window', async () => {
      const orgId = await organization();
      await limits.add(orgId, { keyId: null, unit: 'tokens', window: 'minute', amount: 100 });
      const [returned, settled] = await Promise.all(
        [10, 20].map((tokens) => ledger.reserve(orgId, askOf('k', { tokens }))),
      );
      clock.advance(60_000);
      await ledger.reserve(orgId, askOf('k', { tokens: 7 }));
      await Promise.all([
        ledger.giveBack(returned!),
        ledger.settle(settled!, { ...settled!.units, tokens: 50 }),
      ]);
      assert.deepEqual(await usedOf(orgId, null), [7]);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('the limits of a chain of keys outlive its first key', async () => {
      const orgId = await organization();
      const first = await newKey(orgId);
      const { limitId } = await limits.add(orgId, {
        keyId: first,
        unit: 'requests',
        window: 'day',
        amount: 1,
      });
      const { key } = await keys.rotate(first, 0);
      const prune = () => stores.keys.pruneEnded(orgId, clock.now() + 1, 0);
      await prune();
      assert.equal(await stores.keys.find(first), undefined);
      assert.ok(await limits.find(orgId, limitId));
      await keys.revoke(key.keyId);
      await prune();
      await assert.rejects(limits.find(orgId, limitId), { code: 'not_found' });
    });

    test('the limits of one organization or of all are listed by the share that is used now', async () => {
      const orgId = await organization();
      const keyId = await newKey(orgId);
      await limits.add(orgId, { unit: 'requests', window: 'day', amount: 4 });
      await limits.add(orgId, { keyId, unit: 'texts', window: 'minute', amount: 3 });
      await limits.add(orgId, { appliesTo: 'new_keys', unit: 'tokens', window: 'month', amount: 1 });
      await ledger.reserve(orgId, askOf(keyId, { texts: 2 }));
      const list = (of: string | null) => allRows((query) => limits.byUse(of, { ...query, limit: 2 }));
      const usedNow = async () => (await list(orgId)).map(({ unit, used, keyName }) => [unit, used, keyName]);
      assert.deepEqual(await usedNow(), [
        ['texts', 2, 'key'],
        ['requests', 1, null],
        ['tokens', 0, null],
      ]);
      const named = async (filter: LimitFilter) =>
        (await limits.byUse(orgId, {}, filter)).data.map(({ unit }) => unit);
      assert.deepEqual(await named({ of: 'organization' }), ['requests']);
      assert.deepEqual(await named({ of: 'key' }), ['texts']);
      assert.deepEqual(await named({ of: 'user' }), []);
      assert.deepEqual(await named({ of: 'new_keys', unit: 'tokens' }), ['tokens']);
      assert.deepEqual(await named({ minUsedPercent: 25 }), ['texts', 'requests']);
      assert.deepEqual(await named({ minUsedPercent: 26 }), ['texts']);
      const another = await limits.add(orgId, { keyId, unit: 'requests', window: 'day', amount: 100 });
      assert.equal((await limits.fullest(orgId, [keyId, 'another'])).get(keyId)?.unit, 'texts');
      await limits.remove(orgId, another.limitId);
      const all = await list(null);
      const shares = all.map(({ used, amount }) => Math.floor((used * 1e6) / amount));
      assert.deepEqual(
        shares,
        shares.toSorted((a, b) => b - a),
      );
      assert.equal(all.filter((limit) => limit.orgId === orgId).length, 3);
      clock.advance(60_000);
      assert.deepEqual((await usedNow()).slice(0, 1), [['requests', 1, null]]);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a limit of requests at a time is listed beside the others, and no decision counts it', async () => {
      const orgId = await organization();
      const atOnce = { unit: 'requests_at_once', window: 'none', amount: 1, maxWaitMs: 30_000 } as const;
      await assert.rejects(limits.add(orgId, { ...atOnce, window: 'day' }), { code: 'invalid_request' });
      await assert.rejects(limits.add(orgId, { ...atOnce, unit: 'requests' }), { code: 'invalid_request' });
      await limits.add(orgId, atOnce);
      await limits.add(orgId, { unit: 'cost', window: 'month', amount: 10 });
      const ask = askOf('k', { cost: 4 });
      const [reservation] = await Promise.all([ledger.reserve(orgId, ask), ledger.reserve(orgId, ask)]);
      await assert.rejects(ledger.reserve(orgId, ask), { message: /^Cost limit per month exceeded/ });
      await ledger.giveBack(reservation);
      await ledger.reserve(orgId, ask);
      const shown = ({ unit, window, used, maxWaitMs }: LimitStanding) => [unit, window, used, maxWaitMs];
      const expected = [
        ['cost', 'month', 8, null],
        ['requests_at_once', 'none', 0, 30_000],
      ];
      const { limits: known } = await ledger.standings(orgId, ask, { lastKnown: true });
      for (const all of [known, await ledger.readLimits(orgId, ['']), await limits.list(orgId, {})])
        assert.deepEqual(all.map(shown).sort(), expected);
    });

    test('an estimate of tokens is settled, also beyond the limit', async () => {
      const orgId = await organization();
      await limits.add(orgId, { keyId: null, unit: 'tokens', window: 'day', amount: 100 });
      const reservation = await ledger.reserve(orgId, askOf('k', { tokens: 90 }));
      const settled = await ledger.settle(reservation, { ...reservation.units, tokens: 120 });
      assert.deepEqual(await usedOf(orgId, null), [120]);
      await ledger.giveBack(settled);
      assert.deepEqual(await usedOf(orgId, null), [0]);
      assert.equal((await ledger.readStanding(orgId)).used, 0);
    });

    test('an organization is deleted with its limits, and a chain of keys that has ended with its own', async () => {
      const orgId = await organization();
      const keyId = await newKey(orgId);
      const { limitId } = await limits.add(orgId, { keyId, unit: 'requests', window: 'day', amount: 1 });
      await keys.revoke(keyId);
      assert.ok(await limits.find(orgId, limitId));
      await stores.keys.pruneEnded(orgId, clock.now(), 0);
      await assert.rejects(limits.find(orgId, limitId), { code: 'not_found' });
      const own = await limits.add(orgId, { keyId: null, unit: 'requests', window: 'day', amount: 1 });
      await organizations.delete(orgId);
      await assert.rejects(limits.find(orgId, own.limitId), { code: 'not_found' });
    });

    test('random sequences are decided as a simple model decides them', async () => {
      const scope = fc.constantFrom(null, 0, 1, 2, 'user' as const);
      const units = fc.record({
        texts: fc.integer({ min: 1, max: 4 }),
        tokens: fc.integer({ min: 1, max: 30 }),
        cost: fc.integer({ min: 0, max: 30 }),
      });
      const amount = fc.integer({ min: 1, max: 40 });
      const requests = fc.integer({ min: 1, max: 12 });
      const [unit, window] = [fc.constantFrom(...countedUnits), fc.constantFrom(...windowKinds)];
      const asks = fc.array(fc.tuple(fc.nat(3), units), { minLength: 1, maxLength: 6 });
      const tokens = fc.integer({ min: 0, max: 60 });
      const ms = fc.constantFrom(400, 1_000, 60_000, 3_600_000, 86_400_000);
      const name = <N extends string>(of: N) => fc.constant(of);
      const command = fc.oneof(
        { weight: 2, arbitrary: fc.record({ do: name('add'), scope, unit, window, amount }) },
        { weight: 1, arbitrary: fc.record({ do: name('change'), at: fc.nat(), amount }) },
        { weight: 1, arbitrary: fc.record({ do: name('remove'), at: fc.nat() }) },
        { weight: 1, arbitrary: fc.record({ do: name('quota'), requests, window }) },
        { weight: 6, arbitrary: fc.record({ do: name('ask'), asks }) },
        { weight: 2, arbitrary: fc.record({ do: name('return'), at: fc.nat() }) },
        { weight: 1, arbitrary: fc.record({ do: name('settle'), at: fc.nat(), tokens }) },
        { weight: 2, arbitrary: fc.record({ do: name('wait'), ms }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
          clock.set('2026-11-28T03:00:00Z');
          const orgId = await organization();
          const keyIds = [await newKey(orgId), await newKey(orgId), await newKey(orgId, 'another')];
          const askers = [
            ...keyIds.map((keyId, i) => ({ ...askOf(keyId), limitsUserId: i < 2 ? 'user' : 'another' })),
            { ...askOf('user'), limitsKeyId: userScope('user'), limitsUserId: null },
          ];
          const model = new Model();
          const granted: { reservation: Reservation; counted: Counted[] }[] = [];
          for (const command of commands) {
            if (command.do === 'wait') clock.advance(command.ms);
            if (command.do === 'quota') {
              const { requests, window } = command;
              await organizations.setTier(orgId, 'enterprise', { amount: requests, window });
              model.setQuota(requests, window);
            }
            if (command.do === 'add') {
              const userId = command.scope === 'user' ? command.scope : null;
              const keyId = typeof command.scope === 'number' ? keyIds[command.scope]! : null;
              const scopeId = keyId ?? (userId && userScope(userId));
              const { unit, window, amount } = command;
              const same = model.limits.find(
                (l) => l.scopeId === scopeId && l.unit === unit && l.window === window,
              );
              const { limitId: id } = await limits.add(orgId, { keyId, userId, unit, window, amount });
              if (same) same.amount = amount;
              else model.limits.push({ ...counter(window, amount), id, scopeId, unit });
            }
            const limit =
              'at' in command ? model.limits[command.at % Math.max(1, model.limits.length)] : undefined;
            if (command.do === 'change' && limit) {
              await limits.setAmount(orgId, limit.id, command.amount);
              limit.amount = command.amount;
            }
            if (command.do === 'remove' && limit) {
              await limits.remove(orgId, limit.id);
              model.limits.splice(model.limits.indexOf(limit), 1);
            }
            if (command.do === 'return' && granted.length > 0) {
              const [one] = granted.splice(command.at % granted.length, 1);
              await ledger.giveBack(one!.reservation);
              model.giveBack(one!.counted);
            }
            if (command.do === 'settle' && granted.length > 0) {
              const one = granted[command.at % granted.length]!;
              one.reservation = await ledger.settle(one.reservation, {
                ...one.reservation.units,
                tokens: command.tokens,
              });
              model.settle(one.counted, command.tokens);
            }
            if (command.do === 'ask') {
              const asks = command.asks.map(([asker, units]) => ({
                ...askers[asker]!,
                units: { ...noUnits, requests: 1, ...units },
              }));
              const outcomes = await Promise.allSettled(asks.map((ask) => ledger.reserve(orgId, ask)));
              for (const [i, outcome] of outcomes.entries()) {
                const counted = model.ask(asks[i]!, clock.now());
                assert.equal(outcome.status, counted ? 'fulfilled' : 'rejected');
                if (outcome.status === 'fulfilled' && counted)
                  granted.push({ reservation: outcome.value, counted });
              }
            }
            for (const { id, scopeId, used } of model.inForce(clock.now())) {
              const scope = scopeId === userScope('user') ? { userId: 'user' } : { keyId: scopeId };
              const standing = (await limits.list(orgId, scope)).find(({ limitId }) => limitId === id);
              assert.equal(standing?.used, used);
            }
            const report = await monthReport(stores.usage, orgId, clock.now());
            assert.equal(report.totals.counted, model.monthUsed(clock.now()));
          }
        }),
        { numRuns: 25 },
      );
    });
  });
}

type Window = (typeof windowKinds)[number];
interface ModelLimit {
  readonly id: string;
  /** A key or a person. Null: the organization. */
  readonly scopeId: string | null;
  readonly unit: keyof Units;
  readonly window: Window;
  amount: number;
  startMs: number;
  used: number;
}
interface Counted {
  readonly limit: ModelLimit;
  readonly startMs: number;
  units: number;
}

/** Counts each request in a list, one at a time. */
class Model {
  readonly limits: ModelLimit[] = [];
  readonly #month = counter('month', Number.POSITIVE_INFINITY);
  readonly #shorter = new Map<Window, ModelLimit>();
  #quota: { amount: number; window: Window } = { amount: Number.POSITIVE_INFINITY, window: 'month' };

  setQuota(amount: number, window: Window): void {
    this.#quota = { amount, window };
  }

  ask({ limitsKeyId, limitsUserId, units }: Ask, nowMs: number): Counted[] | undefined {
    const { amount, window } = this.#quota;
    const quota = window === 'month' ? this.#month : (this.#shorter.get(window) ?? counter(window, amount));
    if (window !== 'month') this.#shorter.set(window, quota);
    const applying = [...new Set([this.#month, quota, ...this.limits])].filter(
      ({ scopeId }) =>
        scopeId === null || scopeId === limitsKeyId || scopeId === (limitsUserId && userScope(limitsUserId)),
    );
    for (const limit of applying) roll(limit, nowMs);
    const isOver = (limit: ModelLimit, most: number) => limit.used + units[limit.unit] > most;
    if (
      isOver(quota, amount) ||
      this.limits.some((limit) => applying.includes(limit) && isOver(limit, limit.amount))
    )
      return undefined;
    return applying.map((limit) => {
      limit.used += units[limit.unit];
      return { limit, startMs: limit.startMs, units: units[limit.unit] };
    });
  }

  giveBack(counted: readonly Counted[]): void {
    for (const { limit, startMs, units } of counted) if (limit.startMs === startMs) limit.used -= units;
  }

  settle(counted: readonly Counted[], tokens: number): void {
    for (const one of counted) {
      if (one.limit.unit !== 'tokens') continue;
      if (one.limit.startMs === one.startMs) one.limit.used += tokens - one.units;
      one.units = tokens;
    }
  }

  inForce(nowMs: number): readonly ModelLimit[] {
    return this.limits.map((limit) => (isOver(limit, nowMs) ? { ...limit, used: 0 } : limit));
  }

  monthUsed(nowMs: number): number {
    return isOver(this.#month, nowMs) ? 0 : this.#month.used;
  }
}

function counter(window: Window, amount: number): ModelLimit {
  return { id: window, scopeId: null, unit: 'requests', window, amount, startMs: 0, used: 0 };
}

function isOver({ window, startMs }: ModelLimit, nowMs: number): boolean {
  return startMs < windowAt(window, nowMs).startMs;
}

function roll(limit: ModelLimit, nowMs: number): void {
  if (!isOver(limit, nowMs)) return;
  limit.startMs = windowAt(limit.window, nowMs).startMs;
  limit.used = 0;
}
