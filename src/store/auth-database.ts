import type { Kysely } from 'kysely';
import type { AuthDatabase } from '../accounts/auth-database.ts';
import type { Database } from './schema.ts';

/**
 * Gives better-auth the columns under their own names, to which src/accounts/auth-tables.ts maps its fields. `sqlite` is
 * the format of values, on Postgres too: times as ISO 8601 text, booleans as 0 and 1. So a row can be moved between the
 * databases unchanged.
 */
export function authDatabase(kysely: Kysely<Database>): AuthDatabase {
  return { db: kysely.withoutPlugins(), type: 'sqlite', transaction: false };
}
