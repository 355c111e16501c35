import type { Kysely } from 'kysely';
import type { AuthDatabase } from '../accounts/auth-database.ts';
import type { Database } from './schema.ts';

/**
 * `sqlite` says how values are kept, not where: times as ISO 8601 text and truth values as 0 and 1. Postgres keeps them in the
 * same way, so that a row moves from one database to the other as it is.
 */
export function authDatabase(kysely: Kysely<Database>): AuthDatabase {
  return { db: kysely, type: 'sqlite', transaction: false };
}
