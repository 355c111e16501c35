import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canBeSecret, checksumOf, generateSecret, hintOf } from '../../../src/keys/key-secret.ts';

test('a key of the prefix sk has the form of the API, and any other one a checksum that GitHub’s rule gives', () => {
  assert.match(generateSecret(), /^sk_[0-9a-f]{64}$/);
  const secret = generateSecret('acme_2');
  assert.match(secret, /^acme_2_[0-9a-f]{64}[0-9A-Za-z]{6}$/);
  assert.ok(canBeSecret(secret));
  // The CRC-32 of '123456789' is 0xcbf43926 by definition.
  assert.equal(checksumOf('123456789'), '3jZRME');
  assert.equal(hintOf(secret), `acme_2_…${secret.slice(-4)}`);
});
