import { keysOf } from '../../packages/small/src/json.ts';
import { notFound, ServiceError } from '../errors.ts';
import {
  type HeldRights,
  type KeyRights,
  requireModel,
  requireNetworks,
  requireScope,
  type Scope,
} from '../keys/rights.ts';

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
  | ({
      readonly kind: 'key';
      readonly keyId: string;
      /** Null: a key of the installation. */
      readonly orgId: string | null;
    } & HeldRights)
  | ({ readonly kind: 'user' } & SessionUser);

/**
 * The relation of a principal to an organization, or to the installation. A key has its rights in its own organization,
 * and a key of the installation in all. Administrators are administrators of every organization.
 */
export type Relation = Role | HeldRights | 'administrator' | 'stranger';

/** The roles and the scope that may perform an action. */
interface Permission {
  readonly roles: readonly Role[];
  /** The scope that lets a key perform it. `any`: every key may. Null: none may. */
  readonly scope: Scope | 'any' | null;
}

const everybody = roles;
const writers = ['member', 'admin', 'owner'] as const;
const managers = ['admin', 'owner'] as const;

/**
 * The roles and the scope that may perform each action; administrators may perform all of them. Whatever its scopes are,
 * a leaked key of an organization must not be able to make itself permanent or to send data elsewhere: only keys of the
 * installation can have `audit` and all scopes that begin with `manage:`, except `manage:keys`.
 */
const permissions = {
  'organization.read': { roles: everybody, scope: 'read' },
  'organization.rename': { roles: managers, scope: 'manage:organizations' },
  'organization.delete': { roles: ['owner'], scope: 'manage:organizations' },
  'organization.set-tier': { roles: [], scope: 'manage:organizations' },
  'organization.suspend': { roles: [], scope: 'manage:organizations' },
  'keys.read': { roles: everybody, scope: 'read' },
  'keys.create': { roles: writers, scope: 'manage:keys' },
  /** Own keys: those of the user. */
  'keys.change-own': { roles: writers, scope: 'manage:keys' },
  'keys.change-any': { roles: managers, scope: 'manage:keys' },
  /** Rotating and revoking. Own keys: the key that sends the request, or those of the user. */
  'keys.replace-own': { roles: writers, scope: 'any' },
  /** Creating, changing and rotating keys with the scope `manage:keys`. */
  'keys.let-manage': { roles: ['owner'], scope: null },
  'limits.read': { roles: everybody, scope: 'read' },
  'limits.change-keys': { roles: managers, scope: 'manage:limits' },
  'limits.change-organization': { roles: [], scope: 'manage:limits' },
  'usage.read': { roles: everybody, scope: 'read' },
  embed: { roles: writers, scope: 'embed' },
  rerank: { roles: writers, scope: 'rerank' },
  'batches.read': { roles: everybody, scope: 'batch' },
  /** Also reading the content of files. */
  'batches.change': { roles: writers, scope: 'batch' },
  'vectors.purge': { roles: managers, scope: 'manage:organizations' },
  'members.read': { roles: everybody, scope: 'manage:users' },
  'members.change': { roles: managers, scope: 'manage:users' },
  /** Making a member an owner, and changing an owner. */
  'owners.change': { roles: ['owner'], scope: 'manage:users' },
  'audit.read': { roles: managers, scope: 'audit' },
  'alerts.read': { roles: everybody, scope: 'read' },
  'alerts.acknowledge': { roles: writers, scope: 'read' },
  'alerts.change': { roles: managers, scope: 'manage:alerts' },
  'targets.read': { roles: writers, scope: 'manage:alerts' },
  'targets.change': { roles: managers, scope: 'manage:alerts' },
  'installation.read': { roles: [], scope: 'read' },
  'organizations.create': { roles: [], scope: 'manage:organizations' },
  /** Accounts of people. No key makes an administrator, changes one, or gets a way to sign in. */
  'users.read': { roles: [], scope: 'manage:users' },
  'users.change': { roles: [], scope: 'manage:users' },
  'users.admit': { roles: [], scope: null },
} as const satisfies Record<string, Permission>;

export type Action = keyof typeof permissions;

/** Returns the scope that a key needs for an action. `any`: none. Null: no key may perform it. */
export const scopeFor = (action: Action): Permission['scope'] => permissions[action].scope;

/** Reports whether an action is the operator's: no role of an organization includes it. */
export const isOfOperator = (action: Action): boolean => permissions[action].roles.length === 0;

export function may(relation: Relation, action: Action): boolean {
  if (relation === 'administrator') return true;
  const { roles, scope }: Permission = permissions[action];
  if (typeof relation === 'string') return relation !== 'stranger' && roles.includes(relation);
  return scope === 'any' || (scope !== null && relation.scopes.has(scope));
}

/**
 * Throws `not_found` for strangers, so that they don't learn which organizations exist, and `forbidden` for others
 * without the permission.
 */
export function requireMay(relation: Relation, action: Action): void {
  if (relation === 'stranger') throw notFound('No such organization');
  if (may(relation, action)) return;
  if (typeof relation === 'string')
    throw new ServiceError('forbidden', `The role ${relation} may not do this`);
  const scope = scopeFor(action);
  if (scope !== null && scope !== 'any') requireScope(relation, scope);
  throw keyMayNot();
}

export const keyMayNot = () => new ServiceError('forbidden', 'An API key may not do this');

/** Throws `forbidden` unless the caller may give a key these rights. `orgId` null: a key of the installation. */
export function requireMayGive(
  relation: Relation,
  { scopes, models, networks }: KeyRights,
  orgId: string | null,
): void {
  if (orgId === null) {
    // Nobody gives more than they have. Keys of organizations can be for others, who are elsewhere.
    if (typeof relation === 'string') return;
    for (const scope of scopes) requireScope(relation, scope);
    requireNetworks(relation, networks);
    return;
  }
  if (scopes.includes('manage:keys') && !may(relation, 'keys.let-manage'))
    throw new ServiceError('forbidden', 'Only owners and administrators may give or change "manage:keys"', {
      param: 'scopes',
    });
  if (typeof relation === 'string' || relation.models === null) return;
  if (!models)
    throw new ServiceError('forbidden', 'The API key may not give access to all models', { param: 'models' });
  for (const model of models) requireModel(relation, model);
}

/** Returns the roles that a member with `role` may give to others. */
export function rolesToGive(role: Role | null): Role[] {
  if (role === null || !may(role, 'members.change')) return [];
  return roles.filter((given) => given !== 'owner' || may(role, 'owners.change'));
}

/** The roles that a member with each role may give to others. */
export const givable = Object.fromEntries(roles.map((role) => [role, rolesToGive(role)])) as Record<
  Role,
  Role[]
>;

/** Returns the roles whose holders may give `role` to others. */
export function rolesThatGive(role: Role): Role[] {
  return roles.filter((giver) => rolesToGive(giver).includes(role));
}

/** Returns all actions that `relation` may perform, so that pages show nothing else. */
export function permitted(relation: Relation): Action[] {
  return keysOf(permissions).filter((action) => may(relation, action));
}
