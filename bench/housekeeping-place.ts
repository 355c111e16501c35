import { DatabaseSync } from 'node:sqlite';
import type { Stores } from '../src/store/stores.ts';
import type { Environment } from '../test/helpers/embedgate.ts';
import { runSql } from '../test/helpers/postgres.ts';

/** A database for the chores. */
export interface Place {
  readonly stores: Stores;
  /** What the command line needs to work on it. */
  readonly environment: Environment;
  execute(statements: string): Promise<void>;
  /** Adds vectors of 512 dimensions, each a millisecond younger than the one before, starting at 1. */
  addVectors(count: number): Promise<void>;
}

/** Runs statements on a SQLite database beside other users of it. */
export function executeIn(path: string, statements: string): void {
  using database = new DatabaseSync(path, { timeout: 60_000 });
  database.exec(statements);
}

export function addSqliteVectors(path: string, count: number): void {
  executeIn(
    path,
    `INSERT INTO vectors (key, vector, token_count, created_at)
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      SELECT randomblob(32), randomblob(2048), 20, n FROM numbers`,
  );
}

export async function addPostgresVectors(url: string, count: number): Promise<void> {
  await runSql(
    url,
    `INSERT INTO vectors (key, vector, token_count, created_at)
      SELECT sha256(n::TEXT::BYTEA), decode(repeat(md5(n::TEXT), 128), 'hex'), 20, n FROM generate_series(1, ${count}) AS s (n)`,
  );
}
