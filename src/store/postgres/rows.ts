import type pg from 'pg';
import { ServiceError } from '../../errors.ts';

// Whole tables, for a move and for backups.

/** Runs `body` in one transaction without time limits. */
export async function inTransaction<R>(
  client: pg.Client,
  body: () => Promise<R>,
  begin = 'BEGIN',
): Promise<R> {
  await client.query(
    `${begin}; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
  );
  try {
    const result = await body();
    await client.query('COMMIT');
    return result;
  } catch (reason) {
    await client.query('ROLLBACK').catch(() => {});
    throw reason;
  }
}

/** The NUL character in JSON, after any escaped backslashes. */
const nul = /(?<!\\)((?:\\\\)*)\\u0000/g;

/**
 * Inserts rows from a JSON array of objects that have a member per column. Replaces NUL characters, which releases
 * before 0.3 allowed in names and Postgres can't store, by U+FFFD.
 */
export async function insertRows(client: pg.Client, table: string, json: string): Promise<void> {
  await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
    json.replaceAll(nul, '$1\\ufffd'),
  ]);
}

/** Returns the number of rows of each table. */
export async function countRows(
  client: pg.Client,
  tables: readonly string[],
): Promise<Record<string, number>> {
  if (tables.length === 0) return {};
  const selects = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  const { rows } = await client.query(`SELECT ${selects}`);
  return rows[0];
}

/** Throws `invalid_request` if one of the tables has a row. */
export async function requireEmpty(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const [table, count] of Object.entries(await countRows(client, tables))) {
    if (count > 0) {
      throw new ServiceError('invalid_request', `The target is not empty: ${table} has ${count} rows`);
    }
  }
}

/** Returns the tables that exist: an older schema has fewer. */
export async function existingTables<T extends string>(
  client: pg.Client,
  tables: readonly T[],
): Promise<T[]> {
  const { rows } = await client.query<{ name: T }>(
    'SELECT name FROM unnest($1::TEXT[]) WITH ORDINALITY AS t (name, place) WHERE to_regclass(name) IS NOT NULL ORDER BY place',
    [tables],
  );
  return rows.map(({ name }) => name);
}
