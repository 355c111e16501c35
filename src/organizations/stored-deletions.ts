import { type Kysely, sql } from 'kysely';
import { asHousekeeping, rowsPerStep } from '../database/housekeeping.ts';
import type { DatabaseKind } from '../database/migrations/database-kind.ts';
import type { Database } from '../database/schema.ts';
import type { DatabaseTime } from '../database/sql.ts';

/** The progress of deleting an organization's rows. */
export interface DeletionProgress {
  /** Index of the table among those that may have rows. */
  readonly table: number;
  /** The last row that was deleted from the table. */
  readonly day: number;
  readonly keyId: string;
}

/** Longer than any statement that began before the organization was deleted. */
const settledAfterMs = 60_000;

/** The tables that may have rows of a deleted organization, with the columns that follow `orgId` in an index. */
const tables = [
  { name: 'usage_records', day: 'day', key: 'keyId' },
  { name: 'usage_monthly', day: 'firstDay', key: 'keyId' },
  { name: 'usage_by_day', day: 'day', key: null },
  { name: 'usage_hours', day: 'hour', key: 'keyId' },
  { name: 'request_log', day: 'at', key: null },
  // A flush may have inserted a row again that was deleted with the organization.
  { name: 'quota_windows', day: 'windowStart', key: null },
] as const;

const start = { day: Number.MIN_SAFE_INTEGER, keyId: '' };

/** The usage rows that deleted organizations have left. Nothing reads them any more. */
export const deletionsIn = (db: Kysely<Database>, databaseKind: DatabaseKind, time: DatabaseTime) => ({
  /** Returns the organizations that may have left rows, in order of deletion. */
  async list(limit: number): Promise<string[]> {
    const rows = await db
      .selectFrom('deleted_organizations')
      .select('orgId')
      .orderBy('deletedAt')
      .orderBy('orgId')
      .limit(limit)
      .execute();
    return rows.map(({ orgId }) => orgId);
  },

  /** Deletes the next rows, within milliseconds. Returns the new progress, or null when there are no more rows. */
  step(orgId: string, progress: DeletionProgress | null): Promise<DeletionProgress | null> {
    return db.transaction().execute(async (transaction) => {
      await asHousekeeping(transaction, databaseKind);
      // If the organization exists, it keeps its rows, even if the table lists it.
      const found = await transaction
        .selectFrom('deleted_organizations')
        .select('orgId')
        .where('orgId', '=', orgId)
        .where('orgId', 'not in', (eb) =>
          eb.selectFrom('organizations').select('orgId').where('orgId', '=', orgId),
        )
        .executeTakeFirst();
      if (!found) return null;
      return deleteSome(transaction, orgId, progress ?? { table: 0, ...start });
    });
  },

  /** Forgets the organization, unless it was deleted so recently that writes for it may still be in progress. */
  async finish(orgId: string): Promise<void> {
    await db
      .deleteFrom('deleted_organizations')
      .where('orgId', '=', orgId)
      .where('deletedAt', '<=', sql<number>`${time()} - CAST(${settledAfterMs} AS BIGINT)`)
      .execute();
  },
});

/** Deletes the next range of a primary key, so that no step reads the places that earlier ones have emptied. */
async function deleteSome(
  db: Kysely<Database>,
  orgId: string,
  { table, day, keyId }: DeletionProgress,
): Promise<DeletionProgress | null> {
  const from = tables[table];
  if (!from) return null;
  const place =
    from.key === null ? sql`(${sql.ref(from.day)})` : sql`(${sql.ref(from.day)}, ${sql.ref(from.key)})`;
  const at = (d: number, k: string) =>
    from.key === null ? sql`(CAST(${d} AS BIGINT))` : sql`(CAST(${d} AS BIGINT), ${k})`;
  const behind = sql`org_id = ${orgId} AND ${place} > ${at(day, keyId)}`;
  const columns = sql`${sql.ref(from.day)} AS day, ${from.key === null ? sql`''` : sql.ref(from.key)} AS key_id`;
  const { rows } = await sql<{ day: number; keyId: string }>`
    SELECT ${columns} FROM ${sql.table(from.name)} WHERE ${behind}
    ORDER BY ${sql.ref(from.day)} ${from.key === null ? sql`` : sql`, ${sql.ref(from.key)}`}
    LIMIT 1 OFFSET ${rowsPerStep - 1}`.execute(db);
  const [last] = rows;
  const some = last ? sql`${behind} AND ${place} <= ${at(last.day, last.keyId)}` : behind;
  if (from.name === 'usage_records') await deleteActivity(db, some);
  await sql`DELETE FROM ${sql.table(from.name)} WHERE ${some}`.execute(db);
  if (last) return { table, day: last.day, keyId: last.keyId };
  return table + 1 < tables.length ? { table: table + 1, ...start } : null;
}

/** Deletes the last uses of the deleted organization's keys, whose ids only its usage rows still have. */
async function deleteActivity(db: Kysely<Database>, some: ReturnType<typeof sql>): Promise<void> {
  await sql`DELETE FROM key_activity WHERE key_id IN (SELECT key_id FROM usage_records WHERE ${some})
    AND NOT EXISTS (SELECT 1 FROM api_keys WHERE api_keys.key_id = key_activity.key_id)`.execute(db);
}
