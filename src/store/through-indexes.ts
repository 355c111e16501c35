import { type Kysely, sql } from 'kysely';
import type { Dialect } from './migrations/migration.ts';
import type { Database } from './schema.ts';

/**
 * Has the statements of a transaction find their rows through indexes. Postgres can't tell how few rows lie between two places of a primary key, and would
 * read the whole table for each step.
 */
export async function throughIndexes(transaction: Kysely<Database>, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return;
  await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
    transaction,
  );
}
