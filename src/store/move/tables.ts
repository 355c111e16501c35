import type { SQLOutputValue } from 'node:sqlite';
import type { Database } from '../schema.ts';

/**
 * All tables except the vectors, each after the tables that it refers to. Omits the tables that belong to running
 * processes and that a server on the target may be writing: leases, attempts to sign in, and the numbers of usage
 * batches. The request log stays behind: it has at most some days.
 */
export const movedTables = [
  'installation',
  'upstream_vectors',
  'organizations',
  'deleted_organizations',
  'api_keys',
  'key_activity',
  'quota_windows',
  'limits',
  'usage_records',
  'usage_monthly',
  'usage_by_day',
  'usage_hours',
  'users',
  'sessions',
  'credentials',
  'verifications',
  'two_factors',
  'members',
  'invitations',
  'upgrade_requests',
  'access_requests',
  'alert_settings',
  'alerts',
  'notification_targets',
  'deliveries',
] as const satisfies readonly (keyof Database)[];

export type MovedTable = (typeof movedTables)[number];

/** Rows by table. */
export type TableCounts = Readonly<Record<MovedTable | 'vectors', number>>;

export type Row = Record<string, SQLOutputValue>;
