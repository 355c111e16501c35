import { type Kysely, sql } from 'kysely';
import { asHousekeeping, deleteSome, rowsPerStep } from '../database/housekeeping.ts';
import type { DatabaseKind } from '../database/migrations/database-kind.ts';
import type { Database } from '../database/schema.ts';
import type { OldRows } from './request-log.ts';

/** Deletes what the request log and the usage by hour no longer keep. */
export function requestLogIn(db: Kysely<Database>, databaseKind: DatabaseKind) {
  const asStep = <R>(step: (transaction: Kysely<Database>) => Promise<R>): Promise<R> =>
    db.transaction().execute(async (transaction) => {
      await asHousekeeping(transaction, databaseKind);
      return step(transaction);
    });

  return {
    /** Deletes some writers of usage that have written nothing since `writtenBeforeMs`. Returns whether there may be more. */
    pruneWriters: (writtenBeforeMs: number): Promise<boolean> =>
      deleteSome(db, 'usage_writers', 'writerId', sql`written_at < ${writtenBeforeMs}`),

    /** Deletes some of an organization's entries before `beforeMs`. Returns whether there may be more. */
    pruneSome: (orgId: string, beforeMs: number): Promise<boolean> =>
      asStep((transaction) =>
        deleteSome(transaction, 'request_log', 'id', sql`org_id = ${orgId} AND at < ${beforeMs}`),
      ),

    /** Deletes some of the rows that are old or too many, of any organization. Returns whether there may be more. */
    pruneOld: (old: OldRows): Promise<boolean> =>
      asStep(
        async (transaction) =>
          (await deleteOldest(transaction, old)) ||
          (await deleteSome(transaction, 'usage_hours', hourKey, sql`hour < ${old.beforeHour}`)),
      ),
  };
}

const hourKey = ['orgId', 'hour', 'keyId', 'model', 'outcome', 'error', 'latencyClass'];

/**
 * Deletes those of the first entries that are too old or too many, or that a clock dated into the future, because they
 * would stand before all that are too old later. Returns whether it has found any: a newer one can stand between them,
 * because processes write at different times.
 */
async function deleteOldest(db: Kysely<Database>, { beforeMs, afterMs, maxRows }: OldRows): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`DELETE FROM request_log
    WHERE (at < ${beforeMs} OR at > ${afterMs} OR id <= (SELECT MAX(id) FROM request_log) - ${maxRows})
      AND id IN (SELECT id FROM request_log ORDER BY id LIMIT ${sql.lit(rowsPerStep)})`.execute(db);
  return numAffectedRows > 0n;
}
