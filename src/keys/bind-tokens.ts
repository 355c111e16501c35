import type { Clock } from '../lib/clock.ts';
import { type NewClaims, signToken, tokenKid, verifyToken } from './cwt.ts';
import type { Keyring } from './keyring.ts';
import { binds, isOutdated, type TokenRow } from './token-state.ts';

/** An active key's token, and the values that it must bind. */
export interface StoredToken extends TokenRow {
  readonly token: Uint8Array;
}

/** A new token for a key, and the token that it replaces. */
export interface TokenReplacement {
  readonly keyId: string;
  readonly orgId: string;
  readonly before: Uint8Array;
  readonly token: Uint8Array;
}

export interface TokenStore {
  /**
   * Returns the next active keys after `keyId`, in order. With `unbound`, only keys whose tokens do not bind their
   * digest.
   */
  tokensAfter(keyId: string, limit: number, only?: 'unbound'): Promise<StoredToken[]>;
  /** Skips keys that have a different token by now or are no longer active. */
  replaceTokens(replacements: readonly TokenReplacement[]): Promise<void>;
}

export interface BindingOptions {
  /** Whether to re-sign a token only while the tokens of a replica of an older release are still accepted. */
  readonly onlyRecent: boolean;
  /** Whether to trust rows whose token can't be verified because its signing key is lost. */
  readonly trustsDatabase?: boolean;
}

/** Counts of the tokens of keys that have not expired. */
export interface BoundTokens {
  readonly bound: number;
  /** Number of tokens signed by a key that the keyring does not have. They were left unchanged. */
  readonly orphaned: number;
}

const keysPerChunk = 200;

/**
 * Re-signs every valid token that does not bind its key's digest, and leaves the others unchanged. Can be interrupted
 * at any point and run again, and is safe to run alongside another process that does the same and any change to the
 * keys.
 */
export async function bindTokens(
  store: TokenStore,
  keyring: Keyring,
  clock: Clock,
  options: BindingOptions,
): Promise<BoundTokens> {
  const found = { bound: 0, orphaned: 0 };
  for await (const keys of chunks(store, 'unbound')) {
    const nowMs = clock.now();
    const replacements: TokenReplacement[] = [];
    for (const key of keys) {
      const isOrphaned = hasLostKey(key.token, keyring);
      const token = boundToken(key, isOrphaned, keyring, nowMs, options);
      if (token) replacements.push({ keyId: key.keyId, orgId: key.orgId, before: key.token, token });
      if (key.expiresAt <= nowMs) continue;
      if (token) found.bound += 1;
      else if (isOrphaned) found.orphaned += 1;
    }
    if (replacements.length > 0) await store.replaceTokens(replacements);
  }
  return found;
}

/** Re-signs one key's token to bind its digest, if the token is valid and still accepted. */
export async function bindToken(
  store: Pick<TokenStore, 'replaceTokens'>,
  key: StoredToken,
  keyring: Keyring,
  clock: Clock,
): Promise<void> {
  const token = boundToken(key, false, keyring, clock.now(), { onlyRecent: true });
  if (!token) return;
  const { keyId, orgId, token: before } = key;
  await store.replaceTokens([{ keyId, orgId, before, token }]);
}

/** Reports whether the keyring verifies any of the tokens. */
export async function verifiesAny(store: TokenStore, keyring: Keyring): Promise<boolean> {
  for await (const keys of chunks(store)) {
    if (keys.some(({ token }) => verifyToken(token, (kid) => keyring.find(kid)))) return true;
  }
  return false;
}

async function* chunks(store: TokenStore, only?: 'unbound'): AsyncGenerator<StoredToken[]> {
  for (let last = ''; ; ) {
    const keys = await store.tokensAfter(last, keysPerChunk, only);
    yield keys;
    if (keys.length < keysPerChunk) return;
    last = keys.at(-1)?.keyId ?? last;
  }
}

function hasLostKey(token: Uint8Array, keyring: Keyring): boolean {
  const kid = tokenKid(token);
  return kid !== undefined && !keyring.find(kid);
}

function boundToken(
  key: StoredToken,
  isOrphaned: boolean,
  keyring: Keyring,
  nowMs: number,
  { onlyRecent, trustsDatabase = false }: BindingOptions,
): Uint8Array | undefined {
  if (isOrphaned) return trustsDatabase ? issueToken(key, keyring, nowMs) : undefined;
  const claims = verifyToken(key.token, (kid) => keyring.find(kid));
  if (!claims || claims.digest !== null || !binds(claims, key)) return undefined;
  if (onlyRecent && isOutdated(claims, nowMs)) return undefined;
  return issueToken(key, keyring, nowMs);
}

/** Returns a token for the row's values, signed by the current key. */
export function issueToken(row: TokenRow, keyring: Keyring, nowMs: number): Uint8Array {
  const { keyId, orgId, tier, digest } = row;
  const claims: NewClaims = {
    keyId,
    orgId,
    tier,
    digest,
    expiresAtSeconds: Math.floor(row.expiresAt / 1_000),
    issuedAtSeconds: Math.floor(nowMs / 1_000),
  };
  return signToken(claims, keyring.signing());
}
