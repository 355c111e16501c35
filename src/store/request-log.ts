import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RequestLogStore } from '../usage/request-log.ts';
import { asHousekeeping, deleteSome, rowsPerStep } from './housekeeping.ts';
import type { Dialect } from './migrations/dialect.ts';
import type { Database } from './schema.ts';

export function requestLogStore(db: Kysely<Database>, dialect: Dialect): RequestLogStore {
  const asStep = <R>(step: (transaction: Kysely<Database>) => Promise<R>): Promise<R> =>
    db.transaction().execute(async (transaction) => {
      await asHousekeeping(transaction, dialect);
      return step(transaction);
    });

  return {
    pruneWriters: (writtenBeforeMs) =>
      deleteSome(db, 'usage_writers', 'writerId', sql`written_at < ${writtenBeforeMs}`),

    pruneSome: (orgId, beforeMs) =>
      asStep((transaction) =>
        deleteFirst(transaction, 'request_log', {
          key: sql`id`,
          order: sql`at, id`,
          matching: sql`org_id = ${orgId} AND at < ${beforeMs}`,
        }),
      ),

    pruneOld: ({ beforeMs, beforeHour, maxRows }) =>
      asStep(async (transaction) => {
        const tooMany = sql`id <= (SELECT MAX(id) FROM request_log) - ${maxRows}`;
        const key = sql`org_id, hour, key_id, model, outcome, error, latency_class`;
        const [entries, hours] = [
          await deleteFirst(transaction, 'request_log', {
            key: sql`id`,
            order: sql`id`,
            within: sql`at < ${beforeMs} OR ${tooMany}`,
          }),
          await deleteFirst(transaction, 'usage_hours', {
            key,
            order: sql`hour`,
            matching: sql`hour < ${beforeHour}`,
          }),
        ];
        return entries || hours;
      }),
  };
}

interface First {
  /** The primary key. */
  readonly key: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
  /** Which rows to look at, by an index. */
  readonly matching?: RawBuilder<unknown>;
  /** Which of these to delete. */
  readonly within?: RawBuilder<unknown>;
}

/** Deletes the first rows that match. Returns whether there may be more. */
async function deleteFirst(
  db: Kysely<Database>,
  table: keyof Database,
  { key, order, matching = sql`TRUE`, within = sql`TRUE` }: First,
): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM ${sql.table(table)} WHERE (${within}) AND (${key}) IN
    (SELECT ${key} FROM ${sql.table(table)} WHERE ${matching} ORDER BY ${order} LIMIT ${sql.lit(rowsPerStep)})`.execute(
    db,
  );
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}
