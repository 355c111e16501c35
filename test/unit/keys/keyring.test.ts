import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  FileKeyring,
  fixedKeyring,
  generateSigningKey,
  parseSigningKeys,
} from '../../../src/keys/keyring.ts';
import { deriveSecret, openKeyring } from '../../../src/keys/service-secrets.ts';
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

test('keys given as text work like keys in a file', () => {
  using directory = temporaryDirectory();
  const keys = [generateSigningKey(), generateSigningKey()];
  const pem = keys.map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' })).join('');
  const path = join(directory.path, 'keys.pem');
  writeFileSync(path, `# comment\n${pem}`);
  const sources = { dataDir: directory.path, authSecret: null };
  for (const signingKey of [path, pem]) {
    const keyring = openKeyring({ ...sources, signingKey });
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
