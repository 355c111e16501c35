import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DatabaseKind } from './migrations/database-kind.ts';
import type { Database } from './schema.ts';

/**
 * Maximum number of rows that a step deletes: a few milliseconds, for which a quota decision may have to wait on
 * SQLite.
 */
export const rowsPerStep = 250;

/** Deletes some of the rows that match a condition. `id` is the primary key. Returns whether there may be more. */
export async function deleteSome(
  db: Kysely<Database>,
  table: keyof Database,
  id: string | readonly string[],
  matching: RawBuilder<unknown>,
): Promise<boolean> {
  const key = sql.join([id].flat().map((column) => sql.ref(column)));
  const some = sql`SELECT ${key} FROM ${sql.table(table)} WHERE ${matching} LIMIT ${sql.lit(rowsPerStep)}`;
  // Matches again, so that a row that was changed meanwhile stays.
  const deletion = sql`DELETE FROM ${sql.table(table)} WHERE (${key}) IN (${some}) AND ${matching}`;
  const { numAffectedRows } = await deletion.execute(db);
  return numAffectedRows === BigInt(rowsPerStep);
}

/**
 * An item of a SELECT that makes Postgres flush the transaction's writes to the disk as it goes. Otherwise the next
 * checkpoint flushes all of them, and the commits of quota decisions wait for that.
 */
export const flushSoon = `set_config('backend_flush_after', '256kB', true)`;

/**
 * Prepares a housekeeping transaction on Postgres: makes its statements use indexes. Postgres overestimates the number
 * of rows between two places of a primary key, and would read the whole table in each step.
 */
export async function asHousekeeping(
  transaction: Kysely<Database>,
  databaseKind: DatabaseKind,
): Promise<void> {
  if (databaseKind === 'sqlite') return;
  await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
    ${sql.raw(flushSoon)}`.execute(transaction);
}
