import { invalidField, invalidRequest } from '../errors.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { Limited } from '../quota/ask.ts';
import { validNetworks } from './networks.ts';
import { defaultScopes, type KeyRights, validScopes } from './rights.ts';

export type KeyStatus = 'active' | 'revoked';

/** What people say about a key. A key that replaces another one keeps it. */
export interface KeyChoices extends KeyRights {
  readonly name: string;
  /** The name or an alias of the model for requests that name none. Null: the service's. */
  readonly defaultModel: string | null;
}

/** A description of which only the name is required. */
type Described = Pick<KeyChoices, 'name'> & Partial<KeyChoices>;

/** A key to create. */
export interface NewKey extends Described {
  /** Null: the installation. */
  readonly orgId: string | null;
  /** Null: nobody. */
  readonly userId: string | null;
  /** The client's own name of the key in its organization. */
  readonly externalId?: string | null | undefined;
  /** The SHA-256 of a secret that the client keeps, in hexadecimal. Undefined: the key gets a new secret. */
  readonly digest?: string | undefined;
  /** Undefined: one year. Infinity: the key never expires. */
  readonly lifetimeMs?: number | undefined;
  /** When the key ends at the latest if no lifetime is stated. */
  readonly endsBy?: number | undefined;
}

/** A stored key. Times are in milliseconds since the Unix epoch. */
export interface KeyRecord extends KeyChoices {
  readonly keyId: string;
  /** Null: a key of the installation. */
  readonly orgId: string | null;
  /** Null: a program created it, for nobody. */
  readonly userId: string | null;
  /** The client's own name of the key, unique in its organization. A successor takes it over. */
  readonly externalId: string | null;
  readonly digest: string;
  readonly hint: string;
  /** Empty once the key is revoked. */
  readonly token: Uint8Array;
  readonly status: KeyStatus;
  /** False: the key is paused. */
  readonly enabled: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** The first key of the chain of rotations that led to this key, whose keys share their limits. Null: this key. */
  readonly firstKeyId: string | null;
  /** The key that this one replaces. */
  readonly rotatedFrom: string | null;
  /** Whether the replaced key created this one by rotating itself. If so, revoking that key revokes this one too. */
  readonly isSelfMade: boolean;
  /**
   * The lifetime of a new key that a person creates by rotating this one. Null: derive it from `createdAt` and
   * `expiresAt`. It is recorded because a rotation shortens the expiry.
   */
  readonly lifetimeMs: number | null;
}

/** Returns whose limits apply to the requests of a key. */
export function limitedOf({
  keyId,
  firstKeyId,
  userId,
}: Pick<KeyRecord, 'keyId' | 'firstKeyId' | 'userId'>): Limited {
  return { limitsKeyId: firstKeyId ?? keyId, limitsUserId: userId };
}

/** A key without its digest and token, for display. */
export type KeySummary = Omit<KeyRecord, 'digest' | 'token'> & {
  readonly lastUsedAt: number | null;
  /** Null if `userId` is not the id of a user, or the user was deleted. */
  readonly userName: string | null;
};

/** A new key. The secret can't be read again later. */
export interface CreatedKey {
  readonly key: KeySummary;
  /** Empty: the client has made it. */
  readonly secret: string;
}

/**
 * An organization as tokens bind it. `revision` changes whenever a key is added or revoked, or a token is re-signed.
 */
export interface OrganizationForTokens {
  readonly orgId: string;
  readonly tier: string;
  readonly revision: number;
}

/** Whose keys change: an organization, or with null the installation, which has no tier. */
export type KeyOwner = Omit<OrganizationForTokens, 'orgId'> & Pick<KeyRecord, 'orgId'>;

/** What can be changed of a key. */
export type KeyChange = Partial<KeyChoices & Pick<KeyRecord, 'enabled' | 'expiresAt' | 'userId'>>;

/** A key's new token, and other fields. Undefined: unchanged. */
export interface TokenChange extends KeyChange, Partial<Pick<KeyRecord, 'digest' | 'hint'>> {
  readonly keyId: string;
  readonly token: Uint8Array;
  readonly lifetimeMs?: number | null;
  readonly externalId?: null;
}

/** An active key with the fields that a new token needs. */
export type ActiveKey = Pick<KeyRecord, 'keyId' | 'expiresAt' | 'token' | 'digest' | 'enabled'> & KeyRights;

export const keyList = new PagedList('keys', {
  orders: { created: 'number', name: 'text', last_used: 'number', expires: 'number', requests: 'number' },
  defaultSort: '-created',
  searched: ['name', 'hint'],
  // A part of an account's id would find others' keys by chance.
  searchedAtStart: ['user_id'],
});

/**
 * What a list of keys can be filtered by. `expiring`: active, for at most 30 days. `unused`: active, but not used for
 * 30 days. `revoked`: revoked or expired.
 */
export const keyFilters = ['active', 'expiring', 'unused', 'revoked'] as const;
export type KeyFilter = (typeof keyFilters)[number];

/** The period in which a key counts as expiring or unused, and in which its requests are counted. */
export const recentDays = 30;

/** A filter of a list of keys, at a time. */
export interface KeysAsked {
  readonly status: KeyFilter | undefined;
  readonly userId: string | undefined;
  readonly externalId: string | undefined;
  readonly nowMs: number;
}

/** The number of keys with each status, and of all. */
export type KeyCounts = Readonly<Record<KeyFilter | 'all', number>>;

/** A key in its chain of rotations. */
export type LinkedKey = Pick<KeyRecord, 'keyId' | 'name' | 'hint' | 'status' | 'createdAt' | 'expiresAt'>;

/** A valid key as a start checks it. */
export type SampledKey = Pick<KeyRecord, 'token' | 'defaultModel' | 'models'>;

/** A token has all of them. */
const maxModels = 100;

/** Maximum length of the name of an account, an organization or a key, in characters. */
export const maxNameLength = 200;
// Names are printed to terminals and pages, where control characters could rewrite the text around them, and invisible
// ones could make a name look like another. Persian and emoji need the two joiners.
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|(?![\u200c\u200d])\p{Cf}/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Returns the description of a key in its stored form. Throws `invalid_request`. */
export function describedBy(described: Described & Pick<KeyRecord, 'orgId'>): KeyChoices {
  const { orgId, name, defaultModel: given = null, models = null, networks: from = null } = described;
  const { scopes = orgId === null ? undefined : defaultScopes } = described;
  if (!scopes) throw invalidField('scopes', 'A key of the installation must name its scopes');
  if (orgId === null && (given !== null || models !== null))
    throw invalidField('models', 'A key of the installation uses no models');
  const defaultModel = given === null ? null : validName(given, 'default_model');
  if (models && models.length > maxModels)
    throw invalidField('models', `models must have at most ${maxModels} names`);
  const allowed = models && [...new Set(models.map((model) => validName(model, 'models')))];
  if (defaultModel !== null && allowed && !allowed.includes(defaultModel))
    throw invalidField('default_model', 'default_model must be one of models');
  const networks = from && validNetworks(from);
  return {
    name: validName(name),
    defaultModel,
    scopes: validScopes(scopes, orgId),
    models: allowed,
    networks,
  };
}

export const takenSecret = () =>
  invalidField('secret_sha256', 'There is or was a key with this secret: choose another one');

/** Returns the trimmed name. Throws `invalid_request` naming `field`. */
export function validName(name: string, field = 'name'): string {
  const trimmed = name.trim();
  if (!visible.test(trimmed) || trimmed.length > maxNameLength || invisible.test(trimmed)) {
    throw invalidField(field, `${field} must have 1 to ${maxNameLength} characters, none of them invisible`);
  }
  return trimmed;
}

/** How long a key that was replaced still works, unless the caller says otherwise. */
export const defaultGraceMs = 86_400_000;

/** 9999-12-31T23:59:59Z, the expiry of a key that never expires. As a lifetime, it means the same. */
export const neverMs = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Throws `invalid_request` for a key that never expires, but may manage keys or belongs to the installation. */
export function requireEnd({
  orgId,
  scopes,
  expiresAt,
}: Pick<KeyRecord, 'orgId' | 'scopes' | 'expiresAt'>): void {
  if (expiresAt < neverMs) return;
  if (orgId === null) throw invalidField('expires_in_days', 'A key of the installation must expire');
  if (scopes.includes('manage:keys'))
    throw invalidField('scopes', 'A key with the scope manage:keys must expire');
}

/** Returns the lifetime that the key was created with. If none is recorded, no rotation has shortened the expiry. */
export function lifetimeOf({ lifetimeMs, expiresAt, createdAt }: KeyRecord): number {
  return lifetimeMs ?? (expiresAt >= neverMs ? neverMs : expiresAt - createdAt);
}

/** Rounds up to a whole second, because tokens hold the expiry in seconds. */
export function wholeSeconds(ms: number): number {
  return Number.isFinite(ms) ? Math.ceil(ms / 1_000) * 1_000 : neverMs;
}

/** The caller that rotates a key: the key itself, another key, or a person. */
export type RotatedBy = 'itself' | 'key' | 'person';

/**
 * Throws `invalid_request` if a key has a valid successor. A key can rotate itself only once: if its successor has
 * ended, a person has to find out why.
 */
export function requireNoSuccessor(
  keyId: string,
  successors: readonly Pick<KeyRecord, 'keyId' | 'status' | 'expiresAt'>[],
  by: RotatedBy,
  nowMs: number,
): void {
  const valid = successors.find(({ status, expiresAt }) => status === 'active' && expiresAt > nowMs);
  if (valid) {
    throw invalidRequest(
      `Key ${keyId} was already rotated: rotate its successor ${valid.keyId} instead, or revoke that one first`,
    );
  }
  if (by === 'itself' && successors.length > 0) {
    throw invalidRequest(
      `Key ${keyId} has rotated already, and its successor has ended: only a person can rotate it again, or ` +
        'create a new key',
    );
  }
}

/** Returns a new key as it is shown, with its secret. */
export function publicView({ record, secret }: { record: KeyRecord; secret: string }): CreatedKey {
  const { digest: _digest, token: _token, ...shown } = record;
  return { key: { ...shown, lastUsedAt: null, userName: null }, secret };
}
