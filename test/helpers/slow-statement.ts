import { type Kysely, sql } from 'kysely';

/** Keeps SQLite busy for about 0.1 s for each million of `steps`. */
export async function slowStatement(db: Kysely<unknown>, steps = 6_000_000): Promise<void> {
  await sql`WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${steps})
    SELECT max(n) FROM counted`.execute(db);
}
