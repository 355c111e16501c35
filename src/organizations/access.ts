import { keysOf } from '../../packages/small/src/json.ts';
import { notFound, ServiceError } from '../errors.ts';

/** The roles of a member in an organization. Each role includes the permissions of those before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** A user who is signed in, and the session. */
export interface SessionUser {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly usesTotp: boolean;
  readonly sessionId: string;
}

/** The sender of a request: an API key, or a person with a session. */
export type Principal =
  | { readonly kind: 'key'; readonly keyId: string; readonly orgId: string; readonly tier: string }
  | ({ readonly kind: 'user' } & SessionUser);

/**
 * The relation of a principal to an organization. Administrators of the installation are administrators of every
 * organization.
 */
export type Relation = Role | 'key' | 'administrator' | 'stranger';

const everybody = ['key', 'viewer', 'member', 'admin', 'owner'] as const;
const writers = ['member', 'admin', 'owner'] as const;
const managers = ['admin', 'owner'] as const;

/**
 * The relations that may perform each action in an organization; administrators may perform all of them. A key can
 * read, embed, acknowledge alerts, and rotate or revoke itself, but a leaked key must not be able to make itself
 * permanent or to send data elsewhere. Programs that manage an organization sign in as a user.
 */
const permissions = {
  'organization.read': everybody,
  'organization.rename': managers,
  'organization.delete': ['owner'],
  'organization.set-tier': [],
  'keys.read': everybody,
  'keys.create': writers,
  /** Own keys: the key that sends the request, or the keys of its user. */
  'keys.change-own': ['key', ...writers],
  'keys.change-any': managers,
  'limits.read': everybody,
  'limits.change-keys': managers,
  'limits.change-organization': [],
  'usage.read': everybody,
  embed: ['key', ...writers],
  'vectors.purge': managers,
  'members.read': ['viewer', ...writers],
  'members.change': managers,
  /** Making a member an owner, and changing an owner. */
  'owners.change': ['owner'],
  'alerts.read': everybody,
  'alerts.acknowledge': ['key', ...writers],
  'alerts.change': managers,
  'targets.read': writers,
  'targets.change': managers,
} as const satisfies Record<string, readonly Relation[]>;

export type Action = keyof typeof permissions;

export function may(relation: Relation, action: Action): boolean {
  if (relation === 'administrator') return true;
  const allowed: readonly Relation[] = permissions[action];
  return allowed.includes(relation);
}

/**
 * Throws `not_found` for strangers, so that they don't learn which organizations exist, and `forbidden` for others
 * without the permission.
 */
export function requireMay(relation: Relation, action: Action): void {
  if (relation === 'stranger') throw notFound('No such organization');
  if (!may(relation, action)) {
    const who = relation === 'key' ? 'An API key' : `The role ${relation}`;
    throw new ServiceError('forbidden', `${who} may not do this`);
  }
}

/** Returns the roles that a member with `role` may give to others. */
export function rolesToGive(role: Role | null): Role[] {
  if (role === null || !may(role, 'members.change')) return [];
  return roles.filter((given) => given !== 'owner' || may(role, 'owners.change'));
}

/** Returns the roles whose holders may give `role` to others. */
export function rolesThatGive(role: Role): Role[] {
  return roles.filter((giver) => rolesToGive(giver).includes(role));
}

/** Returns all actions that `relation` may perform, so that pages show nothing else. */
export function permitted(relation: Relation): Action[] {
  return keysOf(permissions).filter((action) => may(relation, action));
}
