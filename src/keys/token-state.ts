import { type Claims, tokenKid, verifyToken } from './cwt.ts';
import type { Keyring } from './keyring.ts';

/** The values that the database has for a token. `expiresAt` is in milliseconds since the Unix epoch. */
export interface TokenRow {
  readonly keyId: string;
  readonly orgId: string;
  readonly tier: string;
  readonly expiresAt: number;
  readonly digest: string;
}

/**
 * Valid: `current`, like a token issued now; `older`, signed by another key of the keyring or issued by an older
 * release. Not valid: `outdated`, issued by an older release and not re-signed in time; `orphaned`, signed by a key
 * that the keyring does not have; `broken`, different from its row, so the row must have been changed.
 */
export type TokenState = 'current' | 'older' | 'outdated' | 'orphaned' | 'broken';

/**
 * How long a token that does not bind its key's digest is accepted. The upgrade has re-signed all tokens, so only a
 * replica of an older release that is still running can have issued another one since.
 */
const unboundForSeconds = 3_600;

/** Reports whether a key with a token in this state is accepted. */
export function isGood(state: TokenState): boolean {
  return state === 'current' || state === 'older';
}

/** The number of tokens in each state. */
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

/**
 * Reports whether the token binds the row's values. Otherwise a changed row, or another key's token in it, could gain a
 * privilege.
 */
export function binds(claims: Claims, row: TokenRow): boolean {
  return (
    claims.keyId === row.keyId &&
    claims.orgId === row.orgId &&
    claims.tier === row.tier &&
    claims.expiresAtSeconds === Math.floor(row.expiresAt / 1_000) &&
    (claims.digest === null || claims.digest === row.digest)
  );
}

/** Reports whether a token binds no digest and was not re-signed in time. */
export function isOutdated({ digest, issuedAtSeconds }: Claims, nowMs: number): boolean {
  return digest === null && issuedAtSeconds + unboundForSeconds <= nowMs / 1_000;
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
