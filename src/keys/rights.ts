import { invalidField, ServiceError } from '../errors.ts';
import { excerpt } from '../lib/harmless.ts';
import { type HeldNetworks, heldNetworks } from './networks.ts';

/** What a key of an organization can be allowed to do. */
export const scopes = ['embed', 'rerank', 'batch', 'read', 'manage:keys'] as const;
/** What a key of the installation can be allowed to do, in all organizations. */
export const installationScopes = [
  'read',
  'manage:keys',
  'manage:organizations',
  'manage:limits',
  'manage:users',
  'manage:alerts',
  'audit',
] as const;
export const allScopes = [...new Set([...scopes, ...installationScopes])];
export type Scope = (typeof allScopes)[number];

/** The scopes of a key that is created without a list of scopes. */
export const defaultScopes: readonly Scope[] = ['embed', 'rerank', 'batch', 'read'];
/** A leaked key that could both create keys and embed would be worth more than its parts. */
const notWithManaging: readonly Scope[] = ['embed', 'rerank', 'batch'];

export interface KeyRights {
  /** Empty: none. */
  readonly scopes: readonly Scope[];
  /** The models that the key may use, by the names that requests write. Null: all. Empty: none. */
  readonly models: readonly string[] | null;
  /** The addresses and networks from which requests may come. Null: from everywhere. Empty: from nowhere. */
  readonly networks: readonly string[] | null;
}

/** The rights of a caller, which every request looks into. */
export interface HeldRights {
  readonly scopes: ReadonlySet<Scope>;
  readonly models: ReadonlySet<string> | null;
  readonly networks: HeldNetworks | null;
}

export const heldRights = ({ scopes, models, networks }: KeyRights): HeldRights => ({
  scopes: new Set(scopes),
  models: models && new Set(models),
  networks: networks && heldNetworks(networks),
});

/** The rights of people, whose roles are checked elsewhere. */
export const rightsOfPeople = heldRights({ scopes: defaultScopes, models: null, networks: null });

/**
 * Returns the scopes once each, in one order. `orgId` null: those of a key of the installation. Throws
 * `invalid_request`.
 */
export function validScopes(given: readonly Scope[], orgId: string | null): Scope[] {
  const possible: readonly Scope[] = orgId === null ? installationScopes : scopes;
  const other = given.find((scope) => !possible.includes(scope));
  if (other !== undefined) {
    const whose = orgId === null ? 'the installation' : 'an organization';
    throw invalidField('scopes', `A key of ${whose} can't have the scope "${other}"`);
  }
  if (given.includes('manage:keys') && notWithManaging.some((scope) => given.includes(scope)))
    throw invalidField('scopes', `scopes must not have ${notWithManaging.join(', ')} beside manage:keys`);
  return possible.filter((scope) => given.includes(scope));
}

/** Throws `forbidden`. */
export function requireScope({ scopes }: Pick<HeldRights, 'scopes'>, scope: Scope): void {
  if (!scopes.has(scope))
    throw new ServiceError('forbidden', `The API key lacks the scope "${scope}"`, { reason: scope });
}

/** Reports whether a key may use a model under this name, which is its own name or an alias. */
export const mayUse = ({ models }: Pick<HeldRights, 'models'>, name: string): boolean =>
  models?.has(name) ?? true;

/** Throws `forbidden` unless the key may use the model under this name. */
export function requireModel(rights: Pick<HeldRights, 'models'>, name: string, param = 'model'): void {
  if (mayUse(rights, name)) return;
  throw new ServiceError('forbidden', `The API key may not use the model "${excerpt(name)}"`, {
    param,
  });
}

/** Throws `forbidden` unless the key may be used from everywhere in the networks that another key is to have. */
export function requireNetworks(held: Pick<HeldRights, 'networks'>, given: KeyRights['networks']): void {
  const own = held.networks;
  if (own === null || given?.every((network) => own.includes(network))) return;
  throw new ServiceError('forbidden', 'The API key may not give access from networks outside of its own', {
    param: 'networks',
  });
}
