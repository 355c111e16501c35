import { type Kysely, sql } from 'kysely';
import type { Dialect } from './migrations/migration.ts';
import type { Database } from './schema.ts';

/**
 * Makes Postgres flush what a transaction writes to the disk as it writes it. Otherwise the next checkpoint flushes all of it, and the commits
 * of quota decisions wait for that. An item of a SELECT.
 */
export const flushSoon = `set_config('backend_flush_after', '256kB', true)`;

/**
 * Prepares a transaction of housekeeping on Postgres. Its statements find their rows through indexes: Postgres can't estimate how few rows
 * lie between two places of a primary key, and would read the whole table for each step.
 */
export async function asHousekeeping(transaction: Kysely<Database>, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return;
  await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
    ${sql.raw(flushSoon)}`.execute(transaction);
}
