import { type Claims, tokenKid, verifyToken } from './cwt.ts';
import type { Keyring } from './keyring.ts';

/** What a key's row and its organization's say of a token. `expiresAt` in milliseconds since the Unix epoch. */
interface TokenRow {
  readonly keyId: string;
  readonly orgId: string;
  readonly tier: string;
  readonly expiresAt: number;
}

/**
 * `current`: signed by the key that signs now; `older`: by another of the keyring; `orphaned`: by a key that the keyring
 * does not have; `broken`: it does not say what its row says, so that the row must have been changed.
 */
export type TokenState = 'current' | 'older' | 'orphaned' | 'broken';

/** How many tokens are in which state. */
export type TokenCensus = Readonly<Record<TokenState, number>>;

export function tokenState(token: Uint8Array, row: TokenRow, keyring: Keyring): TokenState {
  const kid = tokenKid(token);
  if (!kid) return 'broken';
  if (!keyring.find(kid)) return 'orphaned';
  const claims = verifyToken(token, (named) => keyring.find(named));
  if (!claims || !binds(claims, row)) return 'broken';
  return Buffer.compare(kid, keyring.signing().kid) === 0 ? 'current' : 'older';
}

/** A changed row, or another key's token in it, must not become a privilege: the row has to say what the token says. */
export function binds(claims: Claims, row: TokenRow): boolean {
  return (
    claims.keyId === row.keyId &&
    claims.orgId === row.orgId &&
    claims.tier === row.tier &&
    claims.expiresAt === Math.floor(row.expiresAt / 1_000)
  );
}

export function censusOf(states: readonly TokenState[]): TokenCensus {
  const census = { current: 0, older: 0, orphaned: 0, broken: 0 };
  for (const state of states) census[state] += 1;
  return census;
}

export function sumOf(a: TokenCensus, b: TokenCensus): TokenCensus {
  return {
    current: a.current + b.current,
    older: a.older + b.older,
    orphaned: a.orphaned + b.orphaned,
    broken: a.broken + b.broken,
  };
}
