import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RequestLogStore } from '../usage/request-log.ts';
import { asHousekeeping, flushSoon, rowsPerStep } from './housekeeping.ts';
import type { Dialect } from './migrations/dialect.ts';
import type { Database } from './schema.ts';
import { retryIfRolledBack } from './transactions.ts';
import { isNextBatch } from './usage.ts';

/** The columns of the tables by the names of their fields, as Postgres declares the columns of JSON. */
const entryColumns = `"orgId" TEXT, "at" BIGINT, "requestId" TEXT, "keyId" TEXT, "userId" TEXT,
  "model" TEXT, "status" INTEGER, "error" TEXT, "outcome" TEXT, "texts" BIGINT, "tokens" BIGINT,
  "latencyMs" DOUBLE PRECISION, "queueMs" DOUBLE PRECISION, "limitId" TEXT`;
const hourColumns = `"orgId" TEXT, "hour" BIGINT, "keyId" TEXT, "model" TEXT, "outcome" TEXT, "error" TEXT,
  "latencyClass" INTEGER, "requests" BIGINT, "texts" BIGINT, "tokens" BIGINT`;

/** Returns an INSERT of the rows in a JSON text whose organizations exist. */
function insertion(dialect: Dialect, table: string, columns: string, json: string): RawBuilder<unknown> {
  const fields = [...columns.matchAll(/"(\w+)"/g)].map(([, field]) => field!);
  const names = sql.join(fields.map((field) => sql.ref(field)));
  // LIMIT -1 makes SQLite write the text of each row once, instead of once for each of its columns.
  const source =
    dialect === 'sqlite'
      ? sql`SELECT ${sql.join(fields.map((field) => sql`value ->> ${sql.lit(`$.${field}`)} AS ${sql.ref(field)}`))}
          FROM (SELECT value FROM json_each(${json}) LIMIT -1)`
      : sql`SELECT ${sql.join(fields.map((field) => sql`${sql.raw(`"${field}"`)} AS ${sql.ref(field)}`))}
          FROM jsonb_to_recordset(CAST(${json} AS TEXT)::JSONB) AS given (${sql.raw(columns)})`;
  return sql`INSERT INTO ${sql.table(table)} (${names})
    SELECT * FROM (${source}) AS new_row
    WHERE EXISTS (SELECT 1 FROM organizations WHERE organizations.org_id = new_row.org_id)`;
}

export function requestLogStore(db: Kysely<Database>, dialect: Dialect): RequestLogStore {
  const asStep = <R>(step: (transaction: Kysely<Database>) => Promise<R>): Promise<R> =>
    db.transaction().execute(async (transaction) => {
      await asHousekeeping(transaction, dialect);
      return step(transaction);
    });

  return {
    write({ writerId, number, entries, hours }) {
      return retryIfRolledBack(() =>
        db.transaction().execute(async (transaction) => {
          if (dialect === 'postgres') await sql`SELECT ${sql.raw(flushSoon)}`.execute(transaction);
          if (!(await isNextBatch(transaction, writerId, number))) return;
          if (entries !== '[]')
            await insertion(dialect, 'request_log', entryColumns, entries).execute(transaction);
          if (hours === '[]') return;
          // In the order of the primary key, so that two processes that add to the same rows can't deadlock.
          await sql`${insertion(dialect, 'usage_hours', hourColumns, hours)}
            ORDER BY org_id, hour, key_id, model, outcome, error, latency_class
            ON CONFLICT (org_id, hour, key_id, model, outcome, error, latency_class) DO UPDATE SET
              requests = usage_hours.requests + excluded.requests,
              texts = usage_hours.texts + excluded.texts,
              tokens = usage_hours.tokens + excluded.tokens`.execute(transaction);
        }),
      );
    },

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
