import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Authenticator } from '../../../src/keys/authenticate.ts';
import { signToken } from '../../../src/keys/cwt.ts';
import type { CreatedKey } from '../../../src/keys/key.ts';
import { digestOf } from '../../../src/keys/key-secret.ts';
import { fixedKeyring, generateSigningKey } from '../../../src/keys/keyring.ts';
import { Keys } from '../../../src/keys/keys.ts';
import { organizationsWith } from '../../../src/organizations/organizations.ts';
import { openSqliteStores } from '../../../src/service/sqlite/open.ts';
import { TestClock } from '../../helpers/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('authentication against a database that somebody modifies', async () => {
  const clock = new TestClock('2026-11-21T03:00:00Z');
  const directory = untilEnd(temporaryDirectory());
  const signingKey = generateSigningKey();
  const keyring = fixedKeyring([signingKey]);

  const stores = await openSqliteStores(directory.path, clock);
  const keys = new Keys(stores.keys, keyring, clock);
  const organizations = organizationsWith(stores.organizations, keys, clock);
  const authenticator = new Authenticator({ keys: stores.keys, keyring, watch: stores.watch, clock });
  const intruder = secondConnection(directory.path);
  after(async () => {
    intruder.close();
    await stores.close();
  });

  const authenticate = async ({ secret }: CreatedKey) => {
    // Each request arrives in its own turn of the event loop.
    await setImmediate();
    return authenticator.authenticate(`Bearer ${secret}`);
  };
  const newKey = async () => {
    const { orgId } = await organizations.create({ name: 'Acme', tier: 'free' });
    const created = await keys.create({ orgId, userId: 'user', name: 'key', lifetimeMs: 86_400_000 });
    // An accepted key is remembered, so later tampering has to be noticed too.
    assert.equal((await authenticate(created)).orgId, orgId);
    return created;
  };
  const refused = (created: CreatedKey) => assert.rejects(authenticate(created), { code: 'invalid_api_key' });
  const tamper = (sql: string, ...values: (string | number | Uint8Array)[]) => {
    assert.equal(intruder.prepare(sql).run(...values).changes, 1);
  };

  test('a token with the right claims, signed by another key, is refused', async () => {
    const { key, secret } = await newKey();
    const claims = {
      keyId: key.keyId,
      orgId: key.orgId,
      tier: 'free' as const,
      expiresAtSeconds: key.expiresAt / 1_000,
      issuedAtSeconds: 0,
      digest: digestOf(secret),
      scope: 'embed rerank batch read',
      models: null,
      networks: null,
      enabled: true,
    };
    const forged = signToken(claims, { ...generateSigningKey(), kid: signingKey.kid });
    tamper('UPDATE api_keys SET token = ? WHERE key_id = ?', forged, key.keyId);
    await refused({ key, secret });
  });

  test('a revocation written by another process applies to the very next request', async () => {
    const created = await newKey();
    tamper("UPDATE api_keys SET status = 'revoked' WHERE key_id = ?", created.key.keyId);
    await refused(created);
  });

  test('a key deleted by another process is refused, and one created by it is accepted, though it was unknown before', async () => {
    const created = await newKey();
    const row = intruder.prepare('SELECT * FROM api_keys WHERE key_id = ?').get(created.key.keyId);
    tamper('DELETE FROM api_keys WHERE key_id = ?', created.key.keyId);
    await refused(created);
    await refused(created);
    const columns = Object.keys(row ?? {});
    tamper(
      `INSERT INTO api_keys (${columns}) VALUES (${columns.map(() => '?')})`,
      ...(Object.values(row ?? {}) as string[]),
    );
    await authenticate(created);
  });

  test('anything that is not a key of this service is refused with the same message', async () => {
    const { secret } = await newKey();
    const headers = [
      undefined,
      '',
      secret,
      'Bearer',
      'Bearer ',
      `Basic ${secret}`,
      `Bearer  ${secret}`,
      `Bearer ${secret} `,
      `Bearer ${secret.toUpperCase()}`,
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer sk_${'0'.repeat(64)}`,
      `Bearer ${'x'.repeat(10_000)}`,
    ];
    for (const header of headers) {
      await assert.rejects(async () => authenticator.authenticate(header), {
        code: 'invalid_api_key',
        message: 'Invalid API key',
      });
    }
    assert.ok(await authenticator.authenticate(`bearer ${secret}`));
  });

  test('a connection may send different keys, and each header is checked by itself', async () => {
    const [one, other] = [await newKey(), await newKey()];
    const connection = {};
    const orgOf = async (header: string | undefined) => {
      await setImmediate();
      return (await authenticator.authenticate(header, connection)).orgId;
    };
    const refused = (header: string | undefined) =>
      assert.rejects(orgOf(header), { code: 'invalid_api_key' });
    const bearer = ({ secret }: CreatedKey) => `Bearer ${secret}`;
    for (const created of [one, one, other, one, other, other]) {
      assert.equal(await orgOf(bearer(created)), created.key.orgId);
    }
    await refused(undefined);
    await refused(`${bearer(other)} `);
    const lastDigit = other.secret.endsWith('0') ? '1' : '0';
    await refused(bearer(other).slice(0, -1) + lastDigit);
    assert.equal(await orgOf(bearer(other)), other.key.orgId);
    await keys.revoke(other.key.keyId);
    await refused(bearer(other));
    assert.equal(await orgOf(bearer(one)), one.key.orgId);
  });

  test('a change of one organization causes no lookups for another’s keys', async () => {
    const lookups: string[] = [];
    let tell = (_orgId: string | undefined) => {};
    const one = await newKey();
    const other = await newKey();
    const nameOf = new Map([one, other].map(({ key, secret }) => [digestOf(secret), key.orgId]));
    const counting = new Authenticator({
      keys: {
        findByDigest: (digest) => {
          lookups.push(nameOf.get(digest) ?? 'unknown');
          return stores.keys.findByDigest(digest);
        },
      },
      keyring,
      watch: {
        current: () => true,
        onChange: (listener) => {
          tell = listener;
        },
      },
      clock,
    });
    const both = () =>
      Promise.all([one, other].map(({ secret }) => counting.authenticate(`Bearer ${secret}`)));
    await both();
    lookups.length = 0;
    tell(one.key.orgId!);
    await both();
    await both();
    assert.deepEqual(lookups, [one.key.orgId]);
    tell(undefined);
    await both();
    assert.deepEqual(lookups.slice(1).sort(), [one.key.orgId, other.key.orgId].sort());
  });

  test('an unknown key is looked up once, not for each request', async () => {
    let lookups = 0;
    const counting = new Authenticator({
      keys: {
        findByDigest: (digest) => {
          lookups += 1;
          return stores.keys.findByDigest(digest);
        },
      },
      keyring,
      watch: stores.watch,
      clock,
    });
    const unknown = `Bearer sk_${'a'.repeat(64)}`;
    const ask = () => assert.rejects(async () => counting.authenticate(unknown), { code: 'invalid_api_key' });
    for (let i = 0; i < 10; i += 1) await ask();
    assert.equal(lookups, 1);
    clock.advance(60_000);
    await ask();
    assert.equal(lookups, 2);
  });
});
