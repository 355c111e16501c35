import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';

/**
 * A connection of the test's own to the database of a running service. The service may hold the write lock at
 * any moment, so the connection waits for the lock as the service's own do.
 */
export function secondConnection(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'embedgate.db'), { timeout: 10_000 });
}

/** Keeps SQLite busy for about 0.1 s for each million of `steps`. */
export async function slowStatement(db: Kysely<unknown>, steps = 6_000_000): Promise<void> {
  await sql`WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${steps})
    SELECT max(n) FROM counted`.execute(db);
}
