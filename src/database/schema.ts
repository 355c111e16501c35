import type { Generated } from 'kysely';
import type { Alert } from '../alerts/alert.ts';
import type { Channel } from '../alerts/channel.ts';
import type { Delivery } from '../alerts/deliveries.ts';
import type { AuditEntry } from '../audit/entry.ts';
import type { Batch } from '../batches/batch.ts';
import type { Piece, StoredFile } from '../files/file.ts';
import type { KeyRecord } from '../keys/key.ts';
import type { KeyRights } from '../keys/rights.ts';
import type { Membership } from '../organizations/members.ts';
import type { Organization } from '../organizations/organization.ts';
import type { Limit } from '../quota/limit.ts';
import type { QuotaLimit } from '../quota/tiers.ts';
import type { LimitWindow, WindowKind } from '../quota/window.ts';
import type { UsageTotals } from '../usage/reports.ts';
import type { HourlyUsage, RequestEntry } from '../usage/request-log.ts';
import type { Invitation } from '../users/invitations.ts';

/** A record as a row. Both databases store booleans as 0 and 1. */
type Stored<R> = { [Field in keyof R]: R[Field] extends boolean ? number : R[Field] };

/** An organization's custom limit. Null: the limit of its tier applies. */
export type LimitColumns = { limitRequests: number | null; limitWindow: WindowKind | null };

/**
 * The tables, which both databases have alike, with the names that `columnNames` gives their columns. Times are
 * milliseconds since the Unix epoch, days are days since the Unix epoch.
 */
export interface Database {
  installation: {
    id: number;
    /** Null: no first start has made an organization. */
    createdAt: number | null;
    /** The organization of a first start whose credentials have not been shown yet. */
    pendingOrgId: string | null;
    /** The fingerprint of the AUTH_SECRET that the service last used with this data. */
    authFingerprint: string | null;
    /** The fingerprint that each model last had, by its name, in JSON. */
    modelFingerprints: string | null;
    revision: Generated<number>;
  };
  /** The vectors of known texts when an upstream's model was first used. */
  upstream_vectors: { fingerprint: string; vectors: Uint8Array };
  /** `tierLimits` is a digest of the limits of the tier that it has. Empty: none. */
  organizations: Omit<Organization, 'custom'> & LimitColumns & { cacheSecret: string; tierLimits: string };
  /** Deleted organizations that may still have rows in the usage tables. */
  deleted_organizations: { orgId: string; deletedAt: number };
  /** `scopes` and `networks` are separated by spaces, `models` by line breaks. */
  api_keys: Omit<Stored<KeyRecord>, keyof KeyRights> & {
    scopes: string;
    models: string | null;
    networks: string | null;
  };
  key_activity: { keyId: string; lastUsedAt: number };
  /** The ledger: what an organization used in the window that starts at `windowStart`. */
  quota_windows: { orgId: string; windowKind: string; windowStart: number; used: number };
  limits: Omit<Limit, 'window'> & { windowKind: LimitWindow; windowStart: number; used: number };
  /** `model` is empty for requests that failed before they named a served model. */
  usage_records: UsageTotals & { orgId: string; keyId: string; day: number; model: string };
  /** The last batch of usage records that each process has written. */
  usage_writers: { writerId: string; lastBatch: number; writtenAt: number };
  /** Sums of `usage_records`, written together with them. */
  usage_monthly: UsageTotals & { orgId: string; firstDay: number; keyId: string; model: string };
  usage_by_day: UsageTotals & { orgId: string; day: number };
  /**
   * better-auth writes this table and the next four too, in which it has more columns. It stores times as ISO 8601
   * text.
   */
  users: {
    id: string;
    name: string;
    email: string;
    emailVerified: number;
    image: string | null;
    isAdmin: number;
    twoFactorEnabled: number | null;
    isDisabled: number;
    createdAt: string;
    updatedAt: string;
  };
  sessions: {
    id: string;
    userId: string;
    token: string;
    expiresAt: string;
    ipAddress: string | null;
    userAgent: string | null;
    createdAt: string;
    updatedAt: string;
  };
  /** The ways in which a user can sign in: a password's digest, or an account with a provider. */
  credentials: {
    id: string;
    userId: string;
    providerId: string;
    accountId: string;
    password: string | null;
    createdAt: string;
    updatedAt: string;
  };
  verifications: {
    id: string;
    identifier: string;
    value: string;
    expiresAt: string;
    createdAt: string;
    updatedAt: string;
  };
  two_factors: { id: string; userId: string };
  attempts: { subject: string; windowStart: number; count: number };
  /** `fromProvider`: a claim has made the row, and no person has changed it since. */
  members: Membership & { fromProvider: Generated<number> };
  invitations: Stored<Invitation> & { digest: string };
  /** `thresholds`: percentages, ascending, separated by commas. */
  alert_settings: {
    orgId: string;
    thresholds: string;
    limitThresholds: string;
    keyExpiry: number;
    projection: number;
  };
  alerts: Alert;
  notification_targets: Channel;
  deliveries: Delivery & { claimedUntil: number };
  leases: { name: string; holder: string; until: number };
  request_log: Omit<RequestEntry, 'entryId'> & { id: number; tie: number; lookup: number };
  usage_hours: HourlyUsage;
  audit_entries: Omit<AuditEntry, 'before' | 'after' | 'orgName'> & {
    before: string | null;
    after: string | null;
  };
  files: StoredFile;
  /** `fileId` null: no file has the piece. */
  file_pieces: Piece & { orgId: string; fileId: string | null; createdAt: number };
  piece_data: { pieceId: string; data: Uint8Array };
  batches: BatchRow;
}

/** A batch, with JSON where the record has objects and lists. */
export type BatchRow = Omit<Stored<Batch>, 'senderId' | 'metadata' | 'errors' | 'times' | 'quota'> & {
  /** The key or the person that created it. */
  keyId: string;
  metadata: string;
  errors: string;
  times: string;
  quota: string;
  /** The process at work, and until when no other may take the batch. */
  runner: string | null;
  leaseUntil: number;
  waitUntil: number;
  /** When a process last took the batch. */
  servedAt: number;
};

export function toLimitColumns(custom: QuotaLimit | null): LimitColumns {
  return { limitRequests: custom?.amount ?? null, limitWindow: custom?.window ?? null };
}

export function customLimit({ limitRequests, limitWindow }: LimitColumns): QuotaLimit | null {
  if (limitRequests === null || limitWindow === null) return null;
  return { amount: limitRequests, window: limitWindow };
}

/** Returns the record of a row, without the secret. */
export function toOrganization<R extends Database['organizations']>(given: R) {
  const { limitRequests, limitWindow, cacheSecret: _secret, tierLimits: _mark, ...row } = given;
  return { ...row, custom: customLimit({ limitRequests, limitWindow }) };
}
