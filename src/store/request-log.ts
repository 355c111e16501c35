import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RequestLogStore } from '../usage/request-log.ts';
import { asHousekeeping, deleteSome, rowsPerStep, someOrganizations } from './housekeeping.ts';
import type { Dialect } from './migrations/dialect.ts';
import type { Database } from './schema.ts';

export function requestLogStore(db: Kysely<Database>, dialect: Dialect): RequestLogStore {
  const pruneEntries = (transaction: Kysely<Database>, orgId: string, beforeMs: number) =>
    deleteFirst(transaction, 'request_log', sql`at, entry_id`, sql`org_id = ${orgId} AND at < ${beforeMs}`);
  const asStep = <R>(step: (transaction: Kysely<Database>) => Promise<R>): Promise<R> =>
    db.transaction().execute(async (transaction) => {
      await asHousekeeping(transaction, dialect);
      return step(transaction);
    });

  return {
    pruneWriters: (writtenBeforeMs) =>
      deleteSome(db, 'usage_writers', 'writerId', sql`written_at < ${writtenBeforeMs}`),

    pruneSome: (orgId, beforeMs) => asStep((transaction) => pruneEntries(transaction, orgId, beforeMs)),

    pruneOld({ beforeMs, beforeHour }, afterOrgId) {
      return asStep((transaction) =>
        someOrganizations(transaction, afterOrgId, async (orgId) => {
          const oldHours = sql`org_id = ${orgId} AND hour < ${beforeHour}`;
          const key = sql`hour, key_id, model, outcome, error, latency_class`;
          return (
            (await pruneEntries(transaction, orgId, beforeMs)) ||
            (await deleteFirst(transaction, 'usage_hours', key, oldHours))
          );
        }),
      );
    },
  };
}

/** Deletes the first rows, by the primary key after `org_id`, that match. Returns whether there may be more. */
async function deleteFirst(
  db: Kysely<Database>,
  table: keyof Database,
  key: RawBuilder<unknown>,
  matching: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM ${sql.table(table)} WHERE ${matching} AND (${key}) IN
    (SELECT ${key} FROM ${sql.table(table)} WHERE ${matching} ORDER BY ${key} LIMIT ${sql.lit(rowsPerStep)})`.execute(
    db,
  );
  return numAffectedRows === BigInt(rowsPerStep);
}
