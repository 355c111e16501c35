import { ServiceError } from '../errors.ts';
import { type Claims, signToken, tokenKid, verifyToken } from './cwt.ts';
import type { ActiveKey } from './key.ts';
import type { Keyring } from './keyring.ts';

/** The values that the database has for a token. `expiresAt` is in milliseconds since the Unix epoch. */
export interface TokenRow extends Omit<ActiveKey, 'token'> {
  readonly orgId: string | null;
  readonly tier: string;
}

/**
 * Valid: `current`, signed by the current key; `older`, signed by another key of the keyring. Not valid: `orphaned`,
 * signed by a key that the keyring does not have; `broken`, different from its row, so the row must have been changed;
 * `newer`, with a restriction that only a newer release knows.
 */
const tokenStates = ['current', 'older', 'orphaned', 'broken', 'newer'] as const;
export type TokenState = (typeof tokenStates)[number];

/** Reports whether a key with a token in this state is accepted. */
export function isGood(state: TokenState): boolean {
  return state === 'current' || state === 'older';
}

/** Throws `unavailable` if a newer release has restricted one of the keys: another signature would lose the restriction. */
export function requireKnown(states: readonly TokenState[]): void {
  if (!states.includes('newer')) return;
  throw new ServiceError(
    'unavailable',
    'A newer release has restricted a key in a way that this one does not know: use the newer one for this change',
  );
}

/** The number of tokens in each state. */
export type TokenCensus = Readonly<Record<TokenState, number>>;

export function tokenState(token: Uint8Array, row: TokenRow, keyring: Keyring): TokenState {
  const kid = tokenKid(token);
  if (!kid) return 'broken';
  if (!keyring.find(kid)) return 'orphaned';
  const claims = verifyToken(token, (named) => keyring.find(named));
  if (claims === 'newer') return 'newer';
  if (!claims || !binds(claims, row)) return 'broken';
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
    claims.digest === row.digest &&
    claims.scope === row.scopes.join(' ') &&
    // No name has a line break.
    claims.models?.join('\n') === row.models?.join('\n') &&
    claims.networks?.join() === row.networks?.join() &&
    claims.enabled === row.enabled
  );
}

export function censusOf(states: readonly TokenState[]): TokenCensus {
  const census = Object.fromEntries(tokenStates.map((state) => [state, 0])) as Record<TokenState, number>;
  for (const state of states) census[state] += 1;
  return census;
}

export function sumOf(a: TokenCensus, b: TokenCensus): TokenCensus {
  return Object.fromEntries(tokenStates.map((state) => [state, a[state] + b[state]])) as TokenCensus;
}

/** Returns a token for the row's values, signed by the current key. */
export function issueToken(row: TokenRow, keyring: Keyring, nowMs: number): Uint8Array {
  const { keyId, orgId, tier, digest, models, networks, enabled } = row;
  const claims: Claims = {
    keyId,
    orgId,
    tier,
    digest,
    scope: row.scopes.join(' '),
    models,
    networks,
    enabled,
    expiresAtSeconds: Math.floor(row.expiresAt / 1_000),
    issuedAtSeconds: Math.floor(nowMs / 1_000),
  };
  return signToken(claims, keyring.signing());
}
