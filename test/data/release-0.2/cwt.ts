// The tokens of releases 0.1 and 0.2, as their src/keys/cwt.ts signed and verified them.

import { sign, verify } from 'node:crypto';
import { decode, encode, Tag } from 'cbor2';
import type { SigningKey, VerifyingKey } from '../../../src/keys/keyring.ts';

/** What a token binds to its key. Times in seconds since the Unix epoch. */
interface Claims {
  readonly keyId: string;
  readonly orgId: string;
  readonly tier: string;
  readonly expiresAt: number;
  readonly issuedAt: number;
}

// RFC 8152 / RFC 9052: the tag, the header labels and the algorithm. RFC 8392: the claim keys.
const coseSign1Tag = 18;
const header = { algorithm: 1, keyId: 4 };
const eddsa = -8;
const claim = { expirationTime: 4, issuedAt: 6 };

/** A CBOR Web Token (RFC 8392): COSE_Sign1 with Ed25519, `kid` in the protected header. */
export function signToken(claims: Claims, key: SigningKey): Uint8Array {
  const protectedHeader = encode(
    new Map<number, unknown>([
      [header.algorithm, eddsa],
      [header.keyId, key.kid],
    ]),
  );
  const payload = encode(
    new Map<number | string, unknown>([
      [claim.expirationTime, claims.expiresAt],
      [claim.issuedAt, claims.issuedAt],
      ['key_id', claims.keyId],
      ['org_id', claims.orgId],
      ['tier', claims.tier],
    ]),
  );
  const signature = sign(null, toBeSigned(protectedHeader, payload), key.privateKey);
  return encode(new Tag(coseSign1Tag, [protectedHeader, new Map(), payload, new Uint8Array(signature)]));
}

/** The token's claims, or undefined when it is malformed, of another algorithm, or not signed by a known key. */
export function verifyToken(
  token: Uint8Array,
  findKey: (kid: Uint8Array) => VerifyingKey | undefined,
): Claims | undefined {
  try {
    const { protectedHeader, payload, signature } = parts(token);
    const headers = asMap(decode(protectedHeader));
    const kid = headers.get(header.keyId);
    if (headers.get(header.algorithm) !== eddsa || !(kid instanceof Uint8Array)) return undefined;
    const key = findKey(kid);
    if (!key || !verify(null, toBeSigned(protectedHeader, payload), key.publicKey, signature))
      return undefined;
    return claimsOf(asMap(decode(payload)));
  } catch {
    // The decoder throws on malformed CBOR; whatever is no token of ours is simply not accepted.
    return undefined;
  }
}

function parts(token: Uint8Array): Record<'protectedHeader' | 'payload' | 'signature', Uint8Array> {
  const message = decode(token);
  if (!(message instanceof Tag) || message.tag !== coseSign1Tag || !Array.isArray(message.contents)) {
    throw new TypeError('not a COSE_Sign1 message');
  }
  const [protectedHeader, , payload, signature] = message.contents as unknown[];
  if (
    !(protectedHeader instanceof Uint8Array) ||
    !(payload instanceof Uint8Array) ||
    !(signature instanceof Uint8Array)
  ) {
    throw new TypeError('not a COSE_Sign1 message');
  }
  return { protectedHeader, payload, signature };
}

/** RFC 9052, section 4.4: the Sig_structure. */
function toBeSigned(protectedHeader: Uint8Array, payload: Uint8Array): Uint8Array {
  return encode(['Signature1', protectedHeader, new Uint8Array(), payload]);
}

function asMap(value: unknown): Map<unknown, unknown> {
  if (!(value instanceof Map)) throw new TypeError('not a CBOR map with integer keys');
  return value;
}

function claimsOf(payload: Map<unknown, unknown>): Claims | undefined {
  const keyId = payload.get('key_id');
  const orgId = payload.get('org_id');
  const tier = payload.get('tier');
  const expiresAt = payload.get(claim.expirationTime);
  const issuedAt = payload.get(claim.issuedAt);
  if (
    typeof keyId !== 'string' ||
    typeof orgId !== 'string' ||
    typeof tier !== 'string' ||
    typeof expiresAt !== 'number' ||
    typeof issuedAt !== 'number'
  ) {
    return undefined;
  }
  return { keyId, orgId, tier: tier, expiresAt, issuedAt };
}
