/** The functions of Postgres. They belong to the program, not to the schema: see docs/ledger.md. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** In the order in which they call each other. */
const names = ['quota_window_start', 'quota_window_end', 'count_usage', 'add_usage', 'flush_quota'] as const;

const files = names.map((name) =>
  readFileSync(new URL(`functions/${name.replaceAll('_', '-')}.sql`, import.meta.url), 'utf8').trimEnd(),
);
const suffix = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
const ownNames = new RegExp(`\\b(${names.join('|')})\\b`, 'g');

const unusedForDays = 30;

/** Returns the name of a function as this program creates it, so that replicas of two releases each call their own. */
export const functionName = (name: (typeof names)[number]): string => `${name}_${suffix}`;

/** Reports whether this program's functions exist and count as used, so that a start need not write. */
export async function areFunctionsReady(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM function_sets WHERE suffix = $1 AND used_at > now() - INTERVAL '1 day'`,
    [suffix],
  );
  return rows.length > 0;
}

/**
 * Creates this program's functions, unless they exist, and drops those that no replica has used for 30 days. Every
 * batch of usage marks those of its replica as used, at most once a day. A role that may not create has made none.
 */
export async function createFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_new: boolean }>(
    `INSERT INTO function_sets (suffix, used_at) VALUES ($1, now())
     ON CONFLICT (suffix) DO UPDATE SET used_at = excluded.used_at RETURNING xmax = 0 AS is_new`,
    [suffix],
  );
  if (rows[0]?.is_new) {
    for (const file of files) {
      const own = file.replace(ownNames, (name) => `${name}_${suffix}`).replace('{suffix}', suffix);
      await client.query(own);
    }
  }
  const { rows: unused } = await client.query<{ suffix: string }>(
    `DELETE FROM function_sets WHERE used_at < now() - make_interval(days => ${unusedForDays}) RETURNING suffix`,
  );
  for (const old of unused) await dropFunctions(client, old.suffix);
}

async function dropFunctions(client: pg.Client, old: string): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `SELECT oid::regprocedure::TEXT AS signature FROM pg_proc
     WHERE proname LIKE $1 AND pronamespace = current_schema()::regnamespace AND pg_has_role(proowner, 'USAGE')`,
    [`%\\_${old}`],
  );
  for (const { signature } of rows) await client.query(`DROP FUNCTION ${signature}`);
}
