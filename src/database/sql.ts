import {
  CamelCasePlugin,
  type DeleteResult,
  type InsertResult,
  type RawBuilder,
  type SqlBool,
  sql,
  type UpdateResult,
} from 'kysely';
import type { Clock } from '../lib/clock.ts';

/** Gives the columns camel-case names, so that a row has the fields of its record. Tables keep their names. */
export const columnNames = new CamelCasePlugin();

/** Runs an INSERT, an UPDATE or a DELETE. Returns whether it has changed any row. */
export async function changesAny(write: {
  executeTakeFirst(): Promise<InsertResult | UpdateResult | DeleteResult>;
}): Promise<boolean> {
  const result: Partial<InsertResult & UpdateResult & DeleteResult> = await write.executeTakeFirst();
  return !!(result.numInsertedOrUpdatedRows || result.numUpdatedRows || result.numDeletedRows);
}

/** The rows of an organization, or with null those of the installation. */
export const isOwnedBy = (
  table: 'api_keys' | 'notification_targets',
  orgId: string | null,
): RawBuilder<SqlBool> =>
  orgId === null ? sql`${sql.ref(`${table}.orgId`)} IS NULL` : sql`${sql.ref(`${table}.orgId`)} = ${orgId}`;

/** Returns SQL for the current time, in milliseconds since the Unix epoch. */
export type DatabaseTime = () => RawBuilder<number>;

/** The time of the Postgres server, which all replicas share. */
export const postgresTime: DatabaseTime = () =>
  sql<number>`floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT`;

/** The time of a clock: for SQLite, where all processes run on one machine, and for tests that set the time. */
export function timeOf(clock: Clock): DatabaseTime {
  return () => sql<number>`CAST(${clock.now()} AS BIGINT)`;
}

/** Reports whether a user administers the installation and is no member of the organization. */
export const isOperator = (userId: unknown, orgId: unknown): RawBuilder<SqlBool> =>
  sql`(EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND is_admin = 1)
    AND NOT EXISTS (SELECT 1 FROM members WHERE members.org_id = ${orgId} AND members.user_id = ${userId}))`;
