import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { Authenticator, type KeyWithTier } from '../../../src/keys/authenticate.ts';
import { type KeyRecord, validName } from '../../../src/keys/key.ts';
import {
  FileKeyring,
  fixedKeyring,
  generateSigningKey,
  parseSigningKeys,
} from '../../../src/keys/keyring.ts';
import { type KeyStore, Keys } from '../../../src/keys/keys.ts';
import { deriveSecret, openKeyring } from '../../../src/keys/service-secrets.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';

test('the signing key is created on the first start with mode 0600, and stays', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'signing-key.pem');
  const first = FileKeyring.openOrCreate(path);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(FileKeyring.openOrCreate(path).signing().kid, first.signing().kid);
});

test('a keyring follows its file: the first key signs, and all of them verify', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'signing-key.pem');
  const ours = FileKeyring.openOrCreate(path);
  const old = ours.signing();
  const added = generateSigningKey();
  new FileKeyring(path).replace([added, old]);
  ours.refresh();
  assert.deepEqual(ours.signing().kid, added.kid);
  assert.ok(ours.find(old.kid));
  new FileKeyring(path).replace([added]);
  ours.refresh();
  assert.equal(ours.find(old.kid), undefined);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('a keyring keeps its keys if its file has others, until a token of the database needs one of those', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'signing-key.pem');
  const ours = FileKeyring.openOrCreate(path);
  const old = ours.signing();
  const added = generateSigningKey();
  new FileKeyring(path).replace([added]);
  assert.throws(() => ours.check(), /has another key/);
  assert.deepEqual(ours.signing().kid, old.kid);
  assert.ok(ours.find(old.kid));
  assert.equal(ours.find(generateSigningKey().kid), undefined);
  assert.ok(ours.find(added.kid));
  assert.deepEqual([ours.signing().kid, ours.find(old.kid)], [added.kid, undefined]);
});

test('keys given as text work like keys in a file', () => {
  using directory = temporaryDirectory();
  const keys = [generateSigningKey(), generateSigningKey()];
  const pem = keys.map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' })).join('');
  const path = join(directory.path, 'keys.pem');
  writeFileSync(path, `# comment\n${pem}`);
  const sources = { dataDir: directory.path, authSecret: null };
  for (const signingKey of [path, pem]) {
    const keyring = openKeyring({ ...sources, signingKey }, false);
    assert.deepEqual(keyring.signing().kid, keys[0]?.kid);
    for (const { kid } of keys) assert.ok(keyring.find(kid));
  }
});

test('anything but an Ed25519 key is refused without being repeated', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  const broken = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----';
  for (const [pem, fault] of [
    [String(rsa), /rsa key, not an Ed25519/],
    [broken, /cannot be read/],
    ['', /no ".*" block/],
  ] as const) {
    assert.throws(
      () => parseSigningKeys(pem),
      (reason) => {
        assert.ok(reason instanceof TypeError);
        assert.match(reason.message, fault);
        assert.ok(!reason.message.includes('AAAA'));
        return true;
      },
    );
  }
  assert.throws(() => fixedKeyring([]), TypeError);
});

test('the service’s secret is created once with mode 0600, and each purpose derives its own key from it', () => {
  using directory = temporaryDirectory();
  const sources = { dataDir: directory.path, signingKey: null, authSecret: null };
  const cache = deriveSecret(sources, 'vector cache keys');
  assert.equal(cache.length, 32);
  assert.deepEqual(deriveSecret(sources, 'vector cache keys'), cache);
  assert.notDeepEqual(deriveSecret(sources, 'sessions'), cache);
  const path = join(directory.path, 'auth-secret');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.ok(readFileSync(path, 'utf8').length >= 32);
  assert.notDeepEqual(deriveSecret({ ...sources, authSecret: 'x'.repeat(32) }, 'vector cache keys'), cache);
});

/** A key that is read before a change, where the result arrives after the change. */
describe('a read that a change has overtaken', () => {
  const keyring = fixedKeyring([generateSigningKey()]);

  it('is not remembered: a revoked key is refused, a created one accepted', async () => {
    const { active, secret } = await createdKey();
    const revoked: KeyWithTier = { ...active, status: 'revoked' };
    assert.deepEqual(await outcomes(secret, { before: active, after: revoked }), ['fulfilled', 'rejected']);
    assert.deepEqual(await outcomes(secret, { before: undefined, after: active }), ['rejected', 'fulfilled']);
  });

  /** Returns the outcomes of a request whose read is in progress while the row changes, and of the next request. */
  async function outcomes(
    secret: string,
    row: { before: KeyWithTier | undefined; after: KeyWithTier },
  ): Promise<string[]> {
    const arrives = Promise.withResolvers<void>();
    let reads = 0;
    let tell = (_orgId: string | undefined) => {};
    const authenticator = new Authenticator({
      keys: {
        async findByDigest() {
          reads += 1;
          if (reads > 1) return row.after;
          await arrives.promise;
          return row.before;
        },
      },
      keyring,
      watch: {
        current: () => true,
        onChange: (listener) => {
          tell = listener;
        },
      },
      clock: systemClock,
    });
    const authenticate = async () => authenticator.authenticate(`Bearer ${secret}`);
    const early = authenticate();
    tell(row.after.orgId!);
    arrives.resolve();
    const [first] = await Promise.allSettled([early]);
    const [next] = await Promise.allSettled([authenticate()]);
    return [first.status, next.status];
  }

  async function createdKey(): Promise<{ active: KeyWithTier; secret: string }> {
    let added: KeyRecord | undefined;
    const store: Pick<KeyStore, 'owner' | 'change' | 'countValid'> = {
      countValid: async () => 0,
      owner: async (orgId) => ({ orgId, tier: 'free', revision: 1 }),
      change: async (_orgId, _revision, { add }) => {
        added = add;
        return true;
      },
    };
    const keys = new Keys(store as KeyStore, keyring, systemClock);
    const { secret } = await keys.create({ orgId: 'org_1', userId: 'ada', name: 'laptop' });
    assert.ok(added);
    return { active: { ...added, tier: 'free', cacheSecret: '', suspended: null }, secret };
  }
});

test('a name has visible characters, and no invisible ones that make it look like another', () => {
  for (const name of ['Ada', '東京', 'می‌خواهم', '👩‍👩‍👧', '!', 'a b'])
    assert.equal(validName(` ${name} `), name);
  const invalid = [
    '',
    ' ',
    '\u202eevil',
    '\u200b\u200b',
    '\u200d',
    'a\u2066b',
    'a\u2028b',
    'a\u0000b',
    'a\ufeffb',
    'x'.repeat(201),
  ];
  for (const name of invalid)
    assert.throws(() => validName(name), { code: 'invalid_request', param: 'name' });
});
