import type { TokenStore } from './bind-tokens.ts';

export type KeyStatus = 'active' | 'revoked';

/** A key at rest. Times in milliseconds since the Unix epoch. */
export interface KeyRecord {
  readonly keyId: string;
  readonly orgId: string;
  readonly userId: string;
  readonly name: string;
  readonly digest: string;
  readonly hint: string;
  /** Empty once the key is revoked. */
  readonly token: Uint8Array;
  readonly status: KeyStatus;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** The key that this one replaces. */
  readonly rotatedFrom: string | null;
  /** Whether that key made it by rotating itself. Such a key is revoked with the one that made it. */
  readonly isSelfMade: boolean;
  /**
   * How long a key lives that a person makes in this one's place. Null: as long as this one was to live. The expiry no longer says
   * so after a rotation has shortened it.
   */
  readonly lifetimeMs: number | null;
}

/** What may be shown of a key. */
export type KeySummary = Omit<KeyRecord, 'digest' | 'token'> & {
  readonly lastUsedAt: number | null;
  /** Null: `userId` is not the id of a user, or of one who was deleted. */
  readonly userName: string | null;
};

/** A key just made: the only time that its secret exists outside of its owner's hands. */
export interface CreatedKey {
  readonly key: KeySummary;
  readonly secret: string;
}

/** What a token is issued from; `revision` changes whenever a key is added, revoked, or a token issued anew. */
export interface OrganizationForTokens {
  readonly orgId: string;
  readonly tier: string;
  readonly revision: number;
}

/** A key's expiry and token, to be put in place of the old ones. */
export interface TokenChange {
  readonly keyId: string;
  readonly token: Uint8Array;
  readonly expiresAt: number;
  /** Unset: it stays as it is. */
  readonly lifetimeMs?: number;
}

/** An active key, with what a new token needs. */
export type ActiveKey = Pick<KeyRecord, 'keyId' | 'expiresAt' | 'token' | 'digest'>;

export interface CountedKeys {
  readonly validAtMs: number;
  readonly createdAfterMs: number;
  readonly createdBy: 'person' | 'anyone';
}

export interface KeyStore extends TokenStore {
  organization(orgId: string): Promise<OrganizationForTokens | undefined>;
  /** In one transaction, and only if the organization is still at `revision`; else false and nothing is changed. */
  change(
    orgId: string,
    revision: number,
    changes: { add?: KeyRecord; tokens: TokenChange[] },
  ): Promise<boolean>;
  /**
   * Revokes a key and all that it has made by rotating itself, destroys their tokens, and returns the ids of those that were
   * active. Undefined: there is no such key. A key revoked before keeps its first `revokedAt`.
   */
  revoke(keyId: string, nowMs: number): Promise<string[] | undefined>;
  find(keyId: string): Promise<KeyRecord | undefined>;
  /** The keys that were made in place of `keyId`. */
  successors(keyId: string): Promise<Pick<KeyRecord, 'keyId' | 'status' | 'expiresAt'>[]>;
  /** How many keys of an organization are valid, or were created in a period: by a person, or by anyone. */
  count(orgId: string, counted: CountedKeys): Promise<number>;
  /** Newest first: all, or the one of this id. */
  list(orgId: string, keyId?: string): Promise<KeySummary[]>;
  activeKeys(orgId: string): Promise<ActiveKey[]>;
  /**
   * Deletes the oldest keys that have ended, of those of the next organizations after `afterOrgId` that have more of them than `keep`. Returns the
   * organization after which to go on; null when there are no more.
   */
  pruneEnded(nowMs: number, keep: number, afterOrgId: string): Promise<string | null>;
}
