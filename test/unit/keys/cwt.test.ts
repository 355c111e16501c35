import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode, Tag } from 'cbor2';
import { coseSign, coseVerify } from 'cose-kit';
import fc from 'fast-check';
import { type Claims, signToken, tokenKid, verifyToken } from '../../../src/keys/cwt.ts';
import { fixedKeyring, generateSigningKey } from '../../../src/keys/keyring.ts';
import { scopes } from '../../../src/keys/rights.ts';
import { standardTiers } from '../../../src/quota/tiers.ts';

const claims: Claims = {
  keyId: 'key_1',
  orgId: 'org_1',
  tier: 'pro',
  expiresAtSeconds: 1_800_000_000,
  issuedAtSeconds: 1_700_000_000,
  digest: '5f'.repeat(32),
  scope: 'embed read',
  models: ['bge-small', 'größe ✓'],
  networks: ['203.0.113.0/24', '2001:db8::/32'],
  enabled: true,
};

test('a token returns the claims that were signed and names its key', () => {
  const key = generateSigningKey();
  const token = signToken(claims, key);
  assert.deepEqual(verifyToken(token, fixedKeyring([key]).find), claims);
  assert.deepEqual(tokenKid(token), key.kid);
});

test('any claims survive the round trip', () => {
  const key = generateSigningKey();
  const seconds = fc.integer({ min: 0, max: 253_402_300_799 });
  const anyClaims = fc.record(
    {
      keyId: fc.string(),
      orgId: fc.string({ unit: 'grapheme' }),
      tier: fc.constantFrom(...standardTiers.names),
      expiresAtSeconds: seconds,
      issuedAtSeconds: seconds,
      digest: fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes) => Buffer.from(bytes).toString('hex')),
      scope: fc.subarray([...scopes]).map((some) => some.join(' ')),
      models: fc.option(fc.array(fc.string())),
      networks: fc.option(fc.array(fc.string())),
      enabled: fc.boolean(),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(anyClaims, (any) => {
      assert.deepEqual(
        verifyToken(signToken(any, key), () => key),
        any,
      );
    }),
    { numRuns: 50 },
  );
});

test('a token with any one bit changed is not accepted', () => {
  const key = generateSigningKey();
  const token = signToken(claims, key);
  for (let bit = 0; bit < token.length * 8; bit += 1) {
    const changed = Uint8Array.from(token);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    const accepted = verifyToken(changed, () => key);
    // A changed bit of the tag or the array may encode the same structure, but the claims must never differ.
    if (accepted) assert.deepEqual(accepted, claims);
  }
});

test('a token of another key, a shortened token and other bytes are not accepted', () => {
  const key = generateSigningKey();
  const other = generateSigningKey();
  const token = signToken(claims, key);
  assert.equal(verifyToken(token, fixedKeyring([other]).find), undefined);
  assert.equal(
    verifyToken(token, () => other),
    undefined,
  );
  for (let length = 0; length < token.length; length += 1) {
    assert.equal(
      verifyToken(token.subarray(0, length), () => key),
      undefined,
    );
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(
        verifyToken(bytes, () => key),
        undefined,
      );
      assert.ok(tokenKid(bytes) === undefined || tokenKid(bytes) instanceof Uint8Array);
    }),
  );
});

test('the COSE_Sign1 structure is that of RFC 9052: tag 18, protected algorithm −8 and key id, empty unprotected header', () => {
  const key = generateSigningKey();
  const message = decode(signToken(claims, key));
  assert.ok(message instanceof Tag);
  assert.equal(message.tag, 18);
  const [protectedHeader, unprotected, payload, signature] = message.contents as [
    Uint8Array,
    object,
    Uint8Array,
    Uint8Array,
  ];
  assert.deepEqual(
    decode(protectedHeader),
    new Map<number, unknown>([
      [1, -8],
      [4, key.kid],
    ]),
  );
  assert.deepEqual(unprotected, {});
  assert.equal(signature.length, 64);
  // RFC 8392, section 4: exp is claim 4, iat claim 6. RFC 8747, section 3.1: cnf is claim 8. RFC 9200: scope is claim 9.
  assert.deepEqual(
    decode(payload, { preferMap: true }),
    new Map<number | string, unknown>([
      [4, claims.expiresAtSeconds],
      [6, claims.issuedAtSeconds],
      [8, new Map([['secret_sha256', new Uint8Array(32).fill(0x5f)]])],
      ['format', 1],
      ['key_id', 'key_1'],
      ['org_id', 'org_1'],
      ['tier', 'pro'],
      [9, 'embed read'],
      ['models', claims.models],
      ['networks', claims.networks],
      ['enabled', true],
    ]),
  );
});

test('an independent COSE library accepts our tokens, and refuses them under another key', async () => {
  const key = generateSigningKey();
  const token = signToken(claims, key);
  const { isValid, decoded } = await coseVerify(token, key.publicKey);
  assert.equal(isValid, true);
  assert.equal((decode(decoded.payload) as Map<unknown, unknown>).get('org_id'), claims.orgId);
  assert.equal((await coseVerify(token, generateSigningKey().publicKey)).isValid, false);
});

test('we accept the tokens of an independent COSE library, but none without a claim or with a key id outside the protected header', async () => {
  const key = generateSigningKey();
  const payloadMap = new Map<number | string, unknown>([
    [4, claims.expiresAtSeconds],
    [6, claims.issuedAtSeconds],
    [8, new Map([['secret_sha256', new Uint8Array(Buffer.from(claims.digest, 'hex'))]])],
    ['format', 1],
    ['key_id', claims.keyId],
    ['org_id', claims.orgId],
    ['tier', claims.tier],
    [9, claims.scope],
    ['models', claims.models],
    ['networks', claims.networks],
    ['enabled', claims.enabled],
  ]);
  const payload = encode(payloadMap);
  const inside = await coseSign({ alg: 'EdDSA', kid: key.kid }, undefined, payload, key.privateKey);
  assert.deepEqual(
    verifyToken(new Uint8Array(inside), () => key),
    claims,
  );
  for (const missing of payloadMap.keys()) {
    const fewer = encode(new Map([...payloadMap].filter(([name]) => name !== missing)));
    const signed = await coseSign({ alg: 'EdDSA', kid: key.kid }, undefined, fewer, key.privateKey);
    assert.equal(
      verifyToken(new Uint8Array(signed), () => key),
      undefined,
      `without ${missing}`,
    );
  }
  const signedWith = async (more: [string, unknown][]) => {
    const extended = encode(new Map([...payloadMap, ...more]));
    return new Uint8Array(
      await coseSign({ alg: 'EdDSA', kid: key.kid }, undefined, extended, key.privateKey),
    );
  };
  // A newer release may add what restricts nothing.
  const described = await signedWith([['color', 'red']]);
  assert.deepEqual(
    verifyToken(described, () => key),
    claims,
  );
  const restricted = await signedWith([
    ['format', 2],
    ['hours', '9-17'],
  ]);
  assert.equal(
    verifyToken(restricted, () => key),
    'newer',
  );
  const outside = await coseSign({ alg: 'EdDSA' }, { kid: key.kid }, payload, key.privateKey);
  assert.equal(
    verifyToken(new Uint8Array(outside), () => key),
    undefined,
  );
});

test('a token whose confirmation is not one of our digests is not accepted', async () => {
  const key = generateSigningKey();
  const confirmations = [
    null,
    new Map(),
    new Map([['secret_sha256', new Uint8Array(31)]]),
    new Map([['secret_sha256', claims.digest]]),
    new Map([[3, new Uint8Array(32)]]),
  ];
  for (const confirmation of confirmations) {
    const payload = new Map<number | string, unknown>([
      [4, claims.expiresAtSeconds],
      [6, claims.issuedAtSeconds],
      [8, confirmation],
      ['key_id', claims.keyId],
      ['org_id', claims.orgId],
      ['tier', claims.tier],
    ]);
    const protectedHeader = { alg: 'EdDSA' as const, kid: key.kid };
    const token = await coseSign(protectedHeader, undefined, encode(payload), key.privateKey);
    assert.equal(
      verifyToken(new Uint8Array(token), () => key),
      undefined,
    );
  }
});

test('a token of another algorithm is not accepted (RFC 8392, appendix A.3: ES256)', () => {
  const example = Buffer.from(
    'd28443a10126a104524173796d6d657472696345434453413235365850a70175636f61703a2f2f61732e6578616d706c652e636f6d02656572696b77037818636f61703a2f2f6c696768742e6578616d706c652e636f6d041a5612aeb0051a5610d9f0061a5610d9f007420b7158405427c1ff28d23fbad1f29c4c7c6a555e601d6fa29f9179bc3d7438bacaca5acd08c8d4d4f96131680c429a01f85951ecee743a52b9b63632c57209120e1c9e30',
    'hex',
  );
  assert.equal(
    verifyToken(new Uint8Array(example), () => generateSigningKey()),
    undefined,
  );
});
