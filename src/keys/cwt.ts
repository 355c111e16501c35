import { sign, verify } from 'node:crypto';
import { decode, encode, Tag } from 'cbor2';
import type { SigningKey, VerifyingKey } from './keyring.ts';

/** The values that a token binds to its key. */
export interface Claims {
  readonly keyId: string;
  /** Null: a key of the installation. */
  readonly orgId: string | null;
  readonly tier: string;
  readonly expiresAtSeconds: number;
  readonly issuedAtSeconds: number;
  /** SHA-256 of the key's secret, in hexadecimal. */
  readonly digest: string;
  /** The scopes, separated by spaces. */
  readonly scope: string;
  readonly models: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly enabled: boolean;
}

/**
 * The number of the format of tokens. A token states the least that its reader must know. A claim that restricts a key raises
 * the number in the tokens that have it, so that releases which would ignore the restriction refuse the key. The reader of
 * a new claim has a default for tokens from before, whose bytes are tests.
 */
const tokenFormat = 1;

// RFC 8152 / RFC 9052: the tag, the header labels and the algorithm. RFC 8392: the claim keys; RFC 9200: `scope`.
const coseSign1Tag = 18;
const header = { algorithm: 1, keyId: 4 };
const eddsa = -8;
const claim = { expirationTime: 4, issuedAt: 6, confirmation: 8, scope: 9 };

/**
 * The confirmation method (RFC 8747, section 3): the member of `cnf` that says how the presenter of a token proves that
 * it is theirs. Ours holds the SHA-256 of their secret. The text label is private to this service and not registered.
 */
const confirmationMethod = 'secret_sha256';
const digestBytes = 32;

/** Returns a CBOR Web Token (RFC 8392): COSE_Sign1 with Ed25519, `kid` in the protected header. */
export function signToken(claims: Claims, key: SigningKey): Uint8Array {
  const protectedHeader = encode(
    new Map<number, unknown>([
      [header.algorithm, eddsa],
      [header.keyId, key.kid],
    ]),
  );
  const payload = encode(
    new Map<number | string, unknown>([
      [claim.expirationTime, claims.expiresAtSeconds],
      [claim.issuedAt, claims.issuedAtSeconds],
      [
        claim.confirmation,
        new Map([[confirmationMethod, new Uint8Array(Buffer.from(claims.digest, 'hex'))]]),
      ],
      ['format', tokenFormat],
      ['key_id', claims.keyId],
      ['org_id', claims.orgId],
      ['tier', claims.tier],
      [claim.scope, claims.scope],
      ['models', claims.models],
      ['networks', claims.networks],
      ['enabled', claims.enabled],
    ]),
  );
  const signature = sign(null, toBeSigned(protectedHeader, payload), key.privateKey);
  return encode(new Tag(coseSign1Tag, [protectedHeader, new Map(), payload, new Uint8Array(signature)]));
}

/**
 * Returns the token's claims. Undefined: it is malformed, uses another algorithm, or is not signed by a known key. `newer`: a
 * newer release has signed a restriction that this one doesn't know.
 */
export function verifyToken(
  token: Uint8Array,
  findKey: (kid: Uint8Array) => VerifyingKey | undefined,
): Claims | 'newer' | undefined {
  try {
    const { protectedHeader, payload, signature } = parts(token);
    const headers = asMap(decode(protectedHeader));
    const kid = headers.get(header.keyId);
    if (headers.get(header.algorithm) !== eddsa || !(kid instanceof Uint8Array)) return undefined;
    const key = findKey(kid);
    if (!key || !verify(null, toBeSigned(protectedHeader, payload), key.publicKey, signature))
      return undefined;
    const content = asMap(decode(payload, { preferMap: true }));
    return Number(content.get('format')) > tokenFormat ? 'newer' : claimsOf(content);
  } catch {
    // The decoder throws on malformed CBOR, which is rejected like any other invalid token.
    return undefined;
  }
}

/** Returns the key id in the token's header, unverified; undefined if the token is malformed. */
export function tokenKid(token: Uint8Array): Uint8Array | undefined {
  try {
    const kid = asMap(decode(parts(token).protectedHeader)).get(header.keyId);
    return kid instanceof Uint8Array ? kid : undefined;
  } catch {
    return undefined;
  }
}

function parts(token: Uint8Array): Record<'protectedHeader' | 'payload' | 'signature', Uint8Array> {
  const message = decode(token);
  if (!(message instanceof Tag) || message.tag !== coseSign1Tag || !Array.isArray(message.contents)) {
    throw new TypeError('not a COSE_Sign1 message');
  }
  const [protectedHeader, , payload, signature]: unknown[] = message.contents;
  if (
    !(protectedHeader instanceof Uint8Array) ||
    !(payload instanceof Uint8Array) ||
    !(signature instanceof Uint8Array)
  ) {
    throw new TypeError('not a COSE_Sign1 message');
  }
  return { protectedHeader, payload, signature };
}

/** Returns the Sig_structure of RFC 9052, section 4.4. */
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
  const expiresAtSeconds = payload.get(claim.expirationTime);
  const issuedAtSeconds = payload.get(claim.issuedAt);
  const digest = digestIn(payload);
  const scope = payload.get(claim.scope);
  const models = payload.get('models');
  const networks = payload.get('networks');
  const enabled = payload.get('enabled');
  if (
    typeof payload.get('format') !== 'number' ||
    typeof keyId !== 'string' ||
    !(typeof orgId === 'string' || orgId === null) ||
    typeof tier !== 'string' ||
    typeof expiresAtSeconds !== 'number' ||
    typeof issuedAtSeconds !== 'number' ||
    digest === undefined ||
    typeof scope !== 'string' ||
    !isListOrNull(models) ||
    !isListOrNull(networks) ||
    typeof enabled !== 'boolean'
  ) {
    return undefined;
  }
  return { keyId, orgId, tier, expiresAtSeconds, issuedAtSeconds, digest, scope, models, networks, enabled };
}

const isListOrNull = (value: unknown): value is string[] | null =>
  value === null || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

/** Returns the digest in `cnf`, or undefined if it is not in our format. */
function digestIn(payload: Map<unknown, unknown>): string | undefined {
  const digest = asMap(payload.get(claim.confirmation)).get(confirmationMethod);
  if (!(digest instanceof Uint8Array) || digest.length !== digestBytes) return undefined;
  return Buffer.from(digest).toString('hex');
}
