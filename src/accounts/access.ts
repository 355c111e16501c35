import { ServiceError } from '../errors.ts';
import { type Role, roles } from './roles.ts';

/** Who asks: an API key, or a person with a session. */
export type Principal =
  | { readonly kind: 'key'; readonly keyId: string; readonly orgId: string; readonly tier: string }
  | {
      readonly kind: 'user';
      readonly userId: string;
      readonly email: string;
      readonly name: string;
      readonly isAdmin: boolean;
      readonly usesTotp: boolean;
      readonly sessionId: string;
    };

/** What somebody is to an organization. An administrator of the installation is one to each. */
export type Standing = Role | 'key' | 'administrator' | 'stranger';

const everybody = ['key', 'viewer', 'member', 'admin', 'owner'] as const;
const writers = ['member', 'admin', 'owner'] as const;
const managers = ['admin', 'owner'] as const;

/**
 * Who may do what in an organization; administrators may all of it. A key reads and embeds, and can take itself out of use: one
 * that leaks must not be able to make itself permanent, or to send what it sees elsewhere. Programs that manage sign in.
 */
const permissions = {
  'organization.read': everybody,
  'organization.rename': managers,
  'organization.delete': ['owner'],
  'organization.set-tier': [],
  'keys.read': everybody,
  'keys.create': writers,
  /** Its own: the key that asks, or the keys of the user who asks. */
  'keys.change-own': ['key', ...writers],
  'keys.change-any': managers,
  'usage.read': everybody,
  embed: ['key', ...writers],
  'members.read': ['viewer', ...writers],
  'members.change': managers,
  /** To make somebody an owner, and to change one. */
  'owners.change': ['owner'],
  'alerts.read': everybody,
  'alerts.acknowledge': ['key', ...writers],
  'alerts.change': managers,
  'targets.read': writers,
  'targets.change': managers,
} as const satisfies Record<string, readonly Standing[]>;

export type Action = keyof typeof permissions;

export function may(standing: Standing, action: Action): boolean {
  if (standing === 'administrator') return true;
  const allowed: readonly Standing[] = permissions[action];
  return allowed.includes(standing);
}

/** Throws `not_found` for strangers, who learn of no organization, and `forbidden` for those without the right. */
export function requireMay(standing: Standing, action: Action): void {
  if (standing === 'stranger') throw new ServiceError('not_found', 'No such organization');
  if (!may(standing, action)) {
    const who = standing === 'key' ? 'An API key' : `The role ${standing}`;
    throw new ServiceError('forbidden', `${who} may not do this`);
  }
}

/** The roles that a member with `role` may give to others. */
export function rolesToGive(role: Role | null): Role[] {
  if (role === null || !may(role, 'members.change')) return [];
  return roles.filter((given) => given !== 'owner' || may(role, 'owners.change'));
}

/** The roles whose holders may give `role` to others. */
export function rolesThatGive(role: Role): Role[] {
  return roles.filter((giver) => rolesToGive(giver).includes(role));
}

/** All that `standing` may do, for pages that show no more than that. */
export function permitted(standing: Standing): Action[] {
  return (Object.keys(permissions) as Action[]).filter((action) => may(standing, action));
}
