import { type Kysely, sql } from 'kysely';
import type { Dialect } from './migrations/migration.ts';
import type { Database } from './schema.ts';

/**
 * Settings of Postgres for a transaction of housekeeping. Its statements find their rows through indexes: Postgres can't tell how few rows lie between
 * two places of a primary key, and would read the whole table for each step. What they write is flushed to the disk at once: else a checkpoint
 * flushes it all together, and the commits of quota decisions wait for that.
 */
export async function asHousekeeping(transaction: Kysely<Database>, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return;
  await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
    set_config('backend_flush_after', '256kB', true)`.execute(transaction);
}
