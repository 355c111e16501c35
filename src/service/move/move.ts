import type pg from 'pg';
import { migratePostgres } from '../../database/postgres/migrate.ts';
import { exclusively, withSession } from '../../database/postgres/session.ts';
import { invalidRequest } from '../../errors.ts';
import { type MoveSource, movedTables, type Row, type TableCounts } from './source.ts';

export interface Moved {
  readonly source: TableCounts;
  /** Counted in the target before the move was committed. */
  readonly target: TableCounts;
}

type OnProgress = (done: number, total: number) => void;

/**
 * Moves everything from SQLite into an empty Postgres, in one transaction: until it commits, the target is empty, so a
 * move that failed can be run again. Throws `invalid_request` if the target has any rows.
 */
export async function moveStores(source: MoveSource, url: string, onProgress: OnProgress): Promise<Moved> {
  const counts = source.counts();
  if (counts.organizations === 0) {
    throw invalidRequest('The source has no organizations: there is nothing to move');
  }
  await migratePostgres(url);
  return exclusively(url, () =>
    withSession(url, async (client) => {
      await client.query(
        'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
      );
      try {
        await requireEmpty(client);
        await insertAll(client, source, counts, onProgress);
        const target = await requireCounts(client, counts);
        await client.query('COMMIT');
        return { source: counts, target };
      } catch (reason) {
        await client.query('ROLLBACK').catch(() => {});
        throw reason;
      }
    }),
  );
}

/** Inserts the row of `installation` first: a server that starts on the target meanwhile waits to create its own. */
async function insertAll(
  client: pg.Client,
  source: MoveSource,
  counts: TableCounts,
  onProgress: OnProgress,
): Promise<void> {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let done = 0;
  onProgress(done, total);
  for (const table of [...movedTables, 'vectors'] as const) {
    for (const rows of source.rows(table)) {
      await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
        JSON.stringify(rows.map(asJson)),
      ]);
      done += rows.length;
      onProgress(done, total);
    }
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  // The migration has made the row, which says nothing before a first start.
  await client.query('DELETE FROM installation WHERE created_at IS NULL');
  for (const [table, count] of Object.entries(await countRows(client))) {
    if (count > 0) {
      throw invalidRequest(`The target is not empty: ${table} has ${count} rows`);
    }
  }
}

async function requireCounts(client: pg.Client, expected: TableCounts): Promise<TableCounts> {
  const found = await countRows(client);
  for (const table of [...movedTables, 'vectors'] as const) {
    if (found[table] === expected[table]) continue;
    throw new Error(
      `${table} has ${expected[table]} rows in the source, ${found[table]} in the target: stop what writes ` +
        'there, and run this again',
    );
  }
  return found;
}

async function countRows(client: pg.Client): Promise<TableCounts> {
  const selects = [...movedTables, 'vectors'].map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  const { rows } = await client.query(`SELECT ${selects}`);
  return rows[0];
}

/** Postgres reads a BYTEA from JSON as from any text: `\x` and hexadecimal digits. */
function asJson(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value,
    ]),
  );
}
