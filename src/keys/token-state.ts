import { type Claims, tokenKid, verifyToken } from './cwt.ts';
import type { Keyring } from './keyring.ts';

/** What a key's row and its organization's say of a token. `expiresAt` in milliseconds since the Unix epoch. */
export interface TokenRow {
  readonly keyId: string;
  readonly orgId: string;
  readonly tier: string;
  readonly expiresAt: number;
  readonly digest: string;
}

/**
 * `current`: as a token that is issued now; `older`: good, but signed by another key of the keyring, or of an older
 * release. These are not good: `outdated`, of an older release and not issued again in time; `orphaned`, signed by a key that
 * the keyring does not have; `broken`, which does not say what its row says, so that the row must have been changed.
 */
export type TokenState = 'current' | 'older' | 'outdated' | 'orphaned' | 'broken';

/**
 * How long a token counts that does not bind its key's digest. The upgrade has issued all tokens again; only a replica of an
 * older release, which runs on until it is replaced, can have made another one since.
 */
const unboundForSeconds = 3_600;

/** Whether a key with such a token is accepted. */
export function isGood(state: TokenState): boolean {
  return state === 'current' || state === 'older';
}

/** How many tokens are in which state. */
export type TokenCensus = Readonly<Record<TokenState, number>>;

export function tokenState(token: Uint8Array, row: TokenRow, keyring: Keyring, nowMs: number): TokenState {
  const kid = tokenKid(token);
  if (!kid) return 'broken';
  if (!keyring.find(kid)) return 'orphaned';
  const claims = verifyToken(token, (named) => keyring.find(named));
  if (!claims || !binds(claims, row)) return 'broken';
  if (isOutdated(claims, nowMs)) return 'outdated';
  if (claims.digest === null) return 'older';
  return Buffer.compare(kid, keyring.signing().kid) === 0 ? 'current' : 'older';
}

/** A changed row, or another key's token in it, must not become a privilege: the row has to say what the token says. */
export function binds(claims: Claims, row: TokenRow): boolean {
  return (
    claims.keyId === row.keyId &&
    claims.orgId === row.orgId &&
    claims.tier === row.tier &&
    claims.expiresAt === Math.floor(row.expiresAt / 1_000) &&
    (claims.digest === null || claims.digest === row.digest)
  );
}

/** Whether a token binds no digest, and has not been issued again in time. */
export function isOutdated({ digest, issuedAt }: Claims, nowMs: number): boolean {
  return digest === null && issuedAt + unboundForSeconds <= nowMs / 1_000;
}

export function censusOf(states: readonly TokenState[]): TokenCensus {
  const census = { current: 0, older: 0, outdated: 0, orphaned: 0, broken: 0 };
  for (const state of states) census[state] += 1;
  return census;
}

export function sumOf(a: TokenCensus, b: TokenCensus): TokenCensus {
  return {
    current: a.current + b.current,
    older: a.older + b.older,
    outdated: a.outdated + b.outdated,
    orphaned: a.orphaned + b.orphaned,
    broken: a.broken + b.broken,
  };
}
