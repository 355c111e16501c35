import type { Clock } from '../lib/clock.ts';
import { type NewClaims, signToken, tokenKid, verifyToken } from './cwt.ts';
import type { Keyring } from './keyring.ts';
import { binds, isOutdated, type TokenRow } from './token-state.ts';

/** An active key's token, with what it must say. */
export interface StoredToken extends TokenRow {
  readonly token: Uint8Array;
}

/** A token, to be put in place of the one that was read. */
export interface TokenReplacement {
  readonly keyId: string;
  readonly orgId: string;
  readonly before: Uint8Array;
  readonly token: Uint8Array;
}

export interface TokenStore {
  /** The next active keys after `keyId`, in order; with `unbound` only those whose tokens do not bind their key's digest. */
  tokensAfter(keyId: string, limit: number, only?: 'unbound'): Promise<StoredToken[]>;
  /** Leaves a key alone that has another token by now, or is no longer active. */
  replaceTokens(replacements: readonly TokenReplacement[]): Promise<void>;
}

export interface BindingOptions {
  /** Whether a token counts only for as long as the tokens of a replica of an older release do. */
  readonly onlyRecent: boolean;
  /** Whether rows are believed whose token can't be verified, because the key that signed it is lost. */
  readonly trustsDatabase?: boolean;
}

/** Keys that have not expired, by what became of their tokens. */
export interface BoundTokens {
  readonly bound: number;
  /** Signed by a key that the keyring does not have, and left as they were. */
  readonly orphaned: number;
}

const keysPerChunk = 200;

/**
 * Issues all tokens again that do not bind their key's digest, and are good otherwise. Others stay as they are. Interrupted at
 * any point, it can be run again, also beside another process that does the same and beside any change to the keys.
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

/** The same for one key whose token counts for a while. */
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

/** Whether the keyring verifies any of the tokens. */
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

/** Signs what a row says, as of now. */
export function issueToken(row: TokenRow, keyring: Keyring, nowMs: number): Uint8Array {
  const { keyId, orgId, tier, digest } = row;
  const claims: NewClaims = {
    ...{ keyId, orgId, tier, digest },
    expiresAt: Math.floor(row.expiresAt / 1_000),
    issuedAt: Math.floor(nowMs / 1_000),
  };
  return signToken(claims, keyring.signing());
}
