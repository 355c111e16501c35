import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Authenticator } from '../../src/keys/authenticate.ts';
import { verifyToken } from '../../src/keys/cwt.ts';
import { neverMs } from '../../src/keys/key.ts';
import { digestOf } from '../../src/keys/key-secret.ts';
import { fixedKeyring, generateSigningKey } from '../../src/keys/keyring.ts';
import { Keys } from '../../src/keys/keys.ts';
import { defaultScopes } from '../../src/keys/rights.ts';
import { inSteps } from '../../src/lib/in-steps.ts';
import { allRows } from '../../src/lib/page.ts';
import { type Organizations, organizationsWith } from '../../src/organizations/organizations.ts';
import type { Stores } from '../../src/service/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import { addUsage, usageOf } from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

/** What every database guarantees about organizations and keys. */
export function keysContract(name: string, open: OpenStores): void {
  describe(`keys and organizations on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    const keyring = fixedKeyring([generateSigningKey()]);
    let stores: Stores;
    let keys: Keys;
    let organizations: Organizations;
    let authenticator: Authenticator;

    before(async () => {
      stores = await open(clock);
      keys = new Keys(stores.keys, keyring, clock);
      organizations = organizationsWith(stores.organizations, keys, clock);
      authenticator = new Authenticator({ keys: stores.keys, keyring, watch: stores.watch, clock });
    });
    after(() => stores.close());

    const organization = async () => (await organizations.create({ name: 'Acme', tier: 'free' })).orgId;
    const newKey = async (orgId: string, lifetimeMs?: number) =>
      keys.create({ orgId, userId: 'user', name: 'a key', ...(lifetimeMs !== undefined && { lifetimeMs }) });
    const callerOf = async (secret: string) => authenticator.authenticate(`Bearer ${secret}`);
    const refused = (secret: string) => assert.rejects(callerOf(secret), { code: 'invalid_api_key' });

    test('only one of two processes that start at once sets up the first organization', async () => {
      const first = { name: 'Default', tier: 'free' } as const;
      assert.equal(await stores.isSetUp(), false);
      const made = await Promise.all([organizations.createFirst(first), organizations.createFirst(first)]);
      assert.equal(made.filter((one) => one !== undefined).length, 1);
      assert.equal(await stores.isSetUp(), false);
      assert.equal((await organizations.findFirst())?.orgId, made.find((one) => one !== undefined)?.orgId);
      await organizations.finishFirst();
      assert.equal(await organizations.findFirst(), undefined);
      assert.equal(await stores.isSetUp(), true);
      assert.equal(await organizations.createFirst(first), undefined);
    });

    test('an organization is read as created', async () => {
      const custom = { amount: 9_007_199_254, window: 'day' } as const;
      const made = await organizations.create({ name: 'Größe ✓', tier: 'enterprise', custom });
      assert.deepEqual(await organizations.get(made.orgId), made);
      assert.ok(
        (await allRows((page) => organizations.list(page))).some(({ orgId }) => orgId === made.orgId),
      );
      await assert.rejects(organizations.get('org_none'), { code: 'not_found' });
    });

    test('a key is found only by its digest, with a token that binds it', async () => {
      const orgId = await organization();
      const { secret, key } = await newKey(orgId);
      const found = await stores.keys.findByDigest(digestOf(secret));
      assert.ok(found);
      assert.equal(found.keyId, key.keyId);
      assert.equal(found.tier, 'free');
      assert.deepEqual(verifyToken(found.token, keyring.find), {
        keyId: key.keyId,
        orgId,
        tier: 'free',
        expiresAtSeconds: key.expiresAt / 1_000,
        issuedAtSeconds: clock.now() / 1_000,
        digest: digestOf(secret),
        scope: 'embed rerank batch read',
        models: null,
        networks: null,
        enabled: true,
      });
      assert.ok(!JSON.stringify(found).includes(secret));
      assert.match(found.cacheSecret, /^[0-9a-f]{64}$/);
      assert.deepEqual(await callerOf(secret), {
        cacheSecret: found.cacheSecret,
        keyId: key.keyId,
        limitsKeyId: key.keyId,
        limitsUserId: 'user',
        defaultModel: null,
        scopes: new Set(defaultScopes),
        models: null,
        networks: null,
        orgId,
        tier: 'free',
      });
      assert.equal(await stores.keys.findByDigest(digestOf('sk_other')), undefined);
    });

    test('a key lives a year by default, and one that never expires ends in the year 9999', async () => {
      const orgId = await organization();
      const { key } = await newKey(orgId);
      assert.equal(new Date(key.expiresAt).toISOString(), '2027-11-21T03:00:00.000Z');
      assert.equal((await newKey(orgId, Number.POSITIVE_INFINITY)).key.expiresAt, neverMs);
    });

    test('a key is refused from the moment of its expiry', async () => {
      const { secret, key } = await newKey(await organization(), 60_000);
      clock.nowMs = key.expiresAt - 1;
      await callerOf(secret);
      clock.nowMs = key.expiresAt;
      await refused(secret);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a revoked key is refused at once and permanently, and stays listed', async () => {
      const orgId = await organization();
      const { secret, key } = await newKey(orgId);
      await callerOf(secret);
      await keys.revoke(key.keyId);
      await refused(secret);
      const [listed] = await allRows((page) => keys.list(orgId, page));
      assert.deepEqual(
        { status: listed?.status, at: listed?.revokedAt },
        { status: 'revoked', at: clock.now() },
      );
      clock.advance(1_000);
      await keys.revoke(key.keyId);
      assert.equal((await allRows((page) => keys.list(orgId, page)))[0]?.revokedAt, clock.now() - 1_000);
      await assert.rejects(keys.revoke('key_none'), { code: 'not_found' });
      await assert.rejects(keys.rotate(key.keyId, 0), { code: 'invalid_request' });
    });

    test('a rotated key works until its grace period ends, and its successor works at once', async () => {
      const orgId = await organization();
      const old = await newKey(orgId);
      const rotated = await keys.rotate(old.key.keyId, 3_600_000);
      assert.equal(rotated.key.name, old.key.name);
      await callerOf(old.secret);
      const { limitsKeyId, limitsUserId } = await callerOf(rotated.secret);
      assert.deepEqual([limitsKeyId, limitsUserId], [old.key.keyId, 'user']);
      clock.advance(3_600_000);
      await refused(old.secret);
      await callerOf(rotated.secret);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a grace period does not outlive the key', async () => {
      const orgId = await organization();
      const old = await newKey(orgId, 3_600_000);
      const rotated = await keys.rotate(old.key.keyId, 7_200_000);
      assert.equal(rotated.oldExpiresAt, old.key.expiresAt);
      clock.advance(3_600_000);
      await refused(old.secret);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a key holds what it was created with, and what it was changed to, from the next request on', async () => {
      const orgId = await organization();
      const networks = ['10.0.0.0/8', '2001:db8::/32'];
      const rights = { scopes: ['read', 'embed'] as const, models: ['größe ✓', 'b'], networks };
      const { key, secret } = await keys.create({ orgId, userId: 'user', name: 'less', ...rights });
      const from = async (ip: string, sent = secret) =>
        authenticator.authenticate(`Bearer ${sent}`, {}, undefined, { ip });
      assert.deepEqual((await from('10.1.2.3')).scopes, new Set(['embed', 'read']));
      assert.deepEqual((await from('2001:db8::1')).models, new Set(rights.models));
      await assert.rejects(() => from('11.1.2.3'), { code: 'invalid_api_key', reason: 'network' });
      await keys.change(key.keyId, { networks: [] });
      await assert.rejects(() => from('10.1.2.3'), { code: 'invalid_api_key', reason: 'network' });
      await keys.change(key.keyId, { networks: ['0.0.0.0/0'] });
      const changes = { name: 'none', scopes: [], models: [], expiresAt: clock.now() + 1_500 };
      await keys.change(key.keyId, changes);
      const { scopes, models } = await from('11.1.2.3');
      assert.deepEqual([scopes, models], [new Set(), new Set()]);
      const [listed] = await allRows((page) => keys.list(orgId, page));
      const ends = { expiresAt: clock.now() + 2_000, lifetimeMs: null };
      assert.deepEqual(listed, { ...key, ...changes, ...ends, networks: ['0.0.0.0/0'] });
      const rotated = await keys.rotate(key.keyId, 0, 'itself');
      assert.deepEqual([rotated.key.scopes, rotated.key.models], [[], []]);
      await assert.rejects(() => from('::1', rotated.secret), { reason: 'network' });
      await keys.change(rotated.key.keyId, { models: null, networks: null, expiresAt: neverMs });
      assert.equal((await callerOf(rotated.secret)).models, null);
      assert.equal((await keys.find(orgId, rotated.key.keyId))?.expiresAt, neverMs);
    });

    test('a paused key is refused until it is resumed, and is not rotated', async () => {
      const orgId = await organization();
      const { key, secret } = await newKey(orgId);
      await callerOf(secret);
      await keys.change(key.keyId, { enabled: false });
      await refused(secret);
      await assert.rejects(keys.rotate(key.keyId, 0), { code: 'invalid_request' });
      assert.deepEqual(
        (await allRows((page) => keys.list(orgId, page))).map(({ status, enabled }) => [status, enabled]),
        [['active', false]],
      );
      await organizations.setTier(orgId, 'pro', null);
      await refused(secret);
      await keys.change(key.keyId, { enabled: true });
      assert.equal((await callerOf(secret)).tier, 'pro');
      await keys.revoke(key.keyId);
      await assert.rejects(keys.change(key.keyId, { enabled: true }), { code: 'invalid_request' });
    });

    test('two changes of a key at once both hold', async () => {
      const orgId = await organization();
      const { key, secret } = await newKey(orgId);
      await Promise.all([
        keys.change(key.keyId, { scopes: ['read'] }),
        keys.change(key.keyId, { models: ['a'] }),
      ]);
      const { scopes, models } = await callerOf(secret);
      assert.deepEqual([scopes, models], [new Set(['read']), new Set(['a'])]);
    });

    test('a tier change re-signs all tokens, even while keys are being created', async () => {
      const orgId = await organization();
      const before = await Promise.all([newKey(orgId), newKey(orgId), newKey(orgId)]);
      const [, ...during] = await Promise.all([
        organizations.setTier(orgId, 'scale', null),
        newKey(orgId),
        newKey(orgId),
      ]);
      for (const { secret } of [...before, ...during]) assert.equal((await callerOf(secret)).tier, 'scale');
      assert.equal((await allRows((page) => keys.list(orgId, page))).length, 5);
    });

    test('keys are listed newest first, with their last use but without digest or token', async () => {
      const orgId = await organization();
      const older = await newKey(orgId);
      clock.advance(1_000);
      const newer = await newKey(orgId);
      for (const lastUsedAt of [5_000, 4_000])
        await addUsage(stores.usage, [usageOf({ orgId, keyId: older.key.keyId, day: 1, lastUsedAt })]);
      const listed = await allRows((page) => keys.list(orgId, page));
      assert.deepEqual(listed, [newer.key, { ...older.key, lastUsedAt: 5_000 }]);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('the oldest of the ended keys are deleted, and others stay', async () => {
      const [crowded, other] = [await organization(), await organization()];
      const made: string[] = [];
      for (let i = 0; i < 5; i += 1) {
        made.push((await newKey(crowded, 60_000)).key.keyId);
        clock.advance(1_000);
      }
      await keys.revoke(made[4]!);
      const valid = (await newKey(crowded)).key.keyId;
      const elsewhere = (await newKey(other, 60_000)).key.keyId;
      clock.advance(3_600_000);
      await keys.pruneEnded(undefined, 2);
      const listed = async (orgId: string) =>
        (await allRows((page) => keys.list(orgId, page))).map(({ keyId }) => keyId);
      assert.deepEqual(await listed(crowded), [valid, made[4], made[3]]);
      assert.deepEqual(await listed(other), [elsewhere]);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a key that rotated itself is revoked with all its successors, even when the keys between are deleted', async () => {
      const orgId = await organization();
      const first = await newKey(orgId);
      const rotated = (keyId: string) => keys.rotate(keyId, 0, 'itself');
      const chain = [await keys.rotate(first.key.keyId, 3_600_000, 'itself')];
      for (let i = 0; i < 3; i += 1) {
        clock.advance(1_000);
        chain.push(await rotated(chain.at(-1)!.key.keyId));
      }
      clock.advance(2_000);
      const last = chain.at(-1)!;
      await inSteps(() => stores.keys.pruneEnded(orgId, clock.now(), 0));
      const left = (await allRows((page) => keys.list(orgId, page))).map(({ keyId }) => keyId);
      // The first successor stays, so that the first key can't rotate itself again.
      assert.deepEqual(left.sort(), [first, chain[0]!, last].map(({ key }) => key.keyId).sort());
      await assert.rejects(rotated(first.key.keyId), { code: 'invalid_request' });
      assert.deepEqual(
        await keys.revoke(first.key.keyId),
        [chain[0]!, last].map(({ key }) => key.keyId).sort(),
      );
      await inSteps(() => stores.keys.pruneEnded(orgId, clock.now(), 0));
      assert.deepEqual(await allRows((page) => keys.list(orgId, page)), []);
      clock.set('2026-11-21T03:00:00Z');
    });

    test('a key that a person created stays when its predecessors are deleted and revoked', async () => {
      const orgId = await organization();
      const first = await newKey(orgId);
      const second = await keys.rotate(first.key.keyId, 0);
      clock.advance(2_000);
      const third = await keys.rotate(second.key.keyId, 0, 'itself');
      clock.advance(2_000);
      await inSteps(() => stores.keys.pruneEnded(orgId, clock.now(), 0));
      const listed = await allRows((page) => keys.list(orgId, page));
      assert.deepEqual(
        listed.map(({ keyId, rotatedFrom }) => [keyId, rotatedFrom]),
        [[third.key.keyId, null]],
      );
      clock.set('2026-11-21T03:00:00Z');
    });

    test('more ended keys than one step deletes are deleted in several steps', async () => {
      const orgId = await organization();
      const { db } = await stores.authDatabase();
      const ids = Array.from({ length: 600 }, (_, n) => `${orgId} ${n}`);
      for (let from = 0; from < ids.length; from += 100) {
        const rows = ids.slice(from, from + 100).map(
          (id, n) => sql`(${id}, ${orgId}, 'u', 'ended', ${id}, 'sk_…', ${new Uint8Array()}, 'revoked',
            ${sql.lit(from + n)}, 1)`,
        );
        await sql`INSERT INTO api_keys (key_id, org_id, user_id, name, digest, hint, token, status, created_at, expires_at)
          VALUES ${sql.join(rows)}`.execute(db);
      }
      let steps = 0;
      await inSteps(() => {
        steps += 1;
        return stores.keys.pruneEnded(orgId, clock.now(), 50);
      });
      assert.ok(steps > 2, `${steps} steps`);
      const left = (await allRows((page) => keys.list(orgId, page))).map(({ keyId }) => keyId);
      assert.deepEqual(left.sort(), ids.slice(550).sort());
    });

    test('a token that was issued for a key before its revocation does not come back to it', async () => {
      const orgId = await organization();
      const { key } = await newKey(orgId);
      const [one] = await keys.tokensFor({ orgId, tier: 'free', revision: 0 }, 'free');
      await keys.revoke(key.keyId);
      const { revision } = (await stores.keys.owner(orgId))!;
      assert.equal(await stores.keys.change(orgId, revision, { tokens: [one!] }), true);
      const { token } = (await stores.keys.find(key.keyId))!;
      assert.equal(token.length, 0);
    });

    test('a change against an outdated revision changes nothing', async () => {
      const orgId = await organization();
      const { key, secret } = await newKey(orgId);
      const tokens = [{ keyId: key.keyId, token: new Uint8Array([1]), expiresAt: 1_000 }];
      assert.equal(await stores.keys.change(orgId, 1, { tokens }), false);
      assert.equal(await stores.organizations.setTier({ orgId, revision: 1 }, 'pro', null, tokens), false);
      assert.equal((await callerOf(secret)).tier, 'free');
    });

    test('names that could harm a terminal or a page are refused', async () => {
      for (const name of ['', '   ', 'a\u0007b', 'x'.repeat(201)]) {
        await assert.rejects(organizations.create({ name, tier: 'free' }), { code: 'invalid_request' });
      }
      await assert.rejects(newKey('org_none'), { code: 'not_found' });
      const custom = { amount: 5, window: 'month' } as const;
      await assert.rejects(organizations.create({ name: 'x', tier: 'pro', custom }), {
        code: 'invalid_request',
      });
    });
  });
}
