import { fieldsOf, type JsonObject } from '../../packages/small/src/json.ts';
import { excerpt } from '../lib/harmless.ts';
import { type Role, roles } from '../organizations/access.ts';

/** What the values of a provider's claim stand for. */
export interface ClaimMap {
  readonly claim: string;
  /** What to request beside `openid email profile`, so that the provider sends the claim. */
  readonly scopes: readonly string[];
  /** Whether a person who loses a membership also loses their keys there. */
  readonly revokesKeys: boolean;
  readonly memberships: readonly { readonly value: string; readonly orgId: string; readonly role: Role }[];
}

/**
 * Returns the memberships that claims stand for: the highest role in each organization. If there are none, `unmapped`
 * is a sentence for the log with the beginning of the values.
 */
export function mapped({ claim, memberships }: Pick<ClaimMap, 'claim' | 'memberships'>, claims: JsonObject) {
  const found = claimOf(claims, claim);
  const values = new Set([found].flat());
  const held = memberships.filter(({ value }) => values.has(value));
  const ascending = held.toSorted((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
  const shown = [...values]
    .slice(0, 20)
    .map((value) => (typeof value === 'string' ? JSON.stringify(value) : typeof value));
  const stated =
    found === undefined ? 'the provider does not send it' : excerpt(shown.join(', ')) || 'it is empty';
  return {
    memberships: new Map(ascending.map(({ orgId, role }) => [orgId, role])),
    unmapped: held.length > 0 ? undefined : `no value of the claim ${claim} is in the map: ${stated}`,
  };
}

/** Returns a claim by its exact name, which can have dots, or by a path such as `realm_access.roles`. */
export function claimOf(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => fieldsOf(value)[part], claims);
}
