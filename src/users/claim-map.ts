import { fieldsOf, type JsonObject } from '../../packages/small/src/json.ts';
import { excerpt } from '../lib/harmless.ts';
import { type Role, roles } from '../organizations/access.ts';
import type { Memberships } from '../organizations/members.ts';

/** What the values of a provider's claim stand for. */
export interface ClaimMap {
  readonly claim: string;
  /** What to request beside `openid email profile`, so that the provider sends the claim. */
  readonly scopes: readonly string[];
  readonly memberships: readonly { readonly value: string; readonly orgId: string; readonly role: Role }[];
}

/** Returns the memberships that claims stand for: the highest role in each organization. */
export function membershipsOf({ claim, memberships }: ClaimMap, claims: JsonObject): Memberships {
  const found = claimOf(claims, claim);
  const values = new Set(Array.isArray(found) ? found : [found]);
  const held = memberships.filter(({ value }) => values.has(value));
  const ascending = held.toSorted((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
  return new Map(ascending.map(({ orgId, role }) => [orgId, role]));
}

/** Returns a sentence for the log about claims that give no membership, with the beginning of their values. */
export function unmapped({ claim }: ClaimMap, claims: JsonObject): string {
  const found = claimOf(claims, claim);
  const values = [found]
    .flat()
    .map((value) => (typeof value === 'string' ? JSON.stringify(value) : typeof value));
  const shown =
    found === undefined ? 'the provider does not send it' : excerpt(values.join(', ')) || 'it is empty';
  return `no value of the claim ${claim} is in the map: ${shown}`;
}

/** Returns a claim by its exact name, which can have dots, or by a path such as `realm_access.roles`. */
export function claimOf(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => fieldsOf(value)[part], claims);
}
