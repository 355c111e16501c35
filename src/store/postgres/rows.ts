import type pg from 'pg';
import { ServiceError } from '../../errors.ts';

// Whole tables at once, for what fills an empty database: a move and a restore.

/** Runs `body` in one transaction that may take as long as it takes. */
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

/** The NUL character as JSON writes it, after any backslashes that are characters themselves. */
const nul = /(?<!\\)((?:\\\\)*)\\u0000/g;

/**
 * Adds rows, given as a JSON array of objects with a member for each column. No text of Postgres can have the NUL character, which releases before
 * 0.3 let people put into names: it becomes U+FFFD.
 */
export async function insertRows(client: pg.Client, table: string, json: string): Promise<void> {
  await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
    json.replaceAll(nul, '$1\\ufffd'),
  ]);
}

/** Returns how many rows each table has. */
export async function countRows(
  client: pg.Client,
  tables: readonly string[],
): Promise<Record<string, number>> {
  if (tables.length === 0) return {};
  const selects = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  const { rows } = await client.query(`SELECT ${selects}`);
  return rows[0];
}

/** Throws `invalid_request` when one of the tables has a row. */
export async function requireEmpty(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const [table, count] of Object.entries(await countRows(client, tables))) {
    if (count > 0) {
      throw new ServiceError('invalid_request', `The target is not empty: ${table} has ${count} rows`);
    }
  }
}

/** Returns those of the tables that there are: an older schema has fewer. */
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
