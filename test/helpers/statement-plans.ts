import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { migrateSqlite } from '../../src/database/sqlite/migrate.ts';
import { openVectorDatabase } from '../../src/embeddings/sqlite-vector-database.ts';
import { temporaryDirectory } from './directory.ts';

/** Tables that don't grow with tenants or with time. */
const smallTables =
  /^(installation|leases|changes|function_sets|usage_writers|upstream_vectors|vector_bytes|schema_steps|sqlite_\w+)$/;

/** The scans that may be, by the line of the plan and the statement. */
const allowed: readonly { readonly scan: RegExp; readonly why: string }[] = [
  { scan: /USING INDEX batches_to_run/, why: 'this index has only the batches that have not ended' },
  { scan: /^SCAN deleted_organizations/, why: 'a row leaves the table when the deletion has ended' },
  { scan: /\bLIKE \? ESCAPE\b/, why: 'a search by a part reads names in their order until its page is full' },
  {
    scan: /^SCAN request_log\n.*FROM request_log ORDER BY id LIMIT 250\)/,
    why: 'reads the first 250 rows in the order of the primary key',
  },
  {
    scan: /\nSELECT (\*|1|key, vector, created_at|count\(\*\) AS \w+) FROM "?\w+"?$/,
    why: 'a move to Postgres and a step of the schema count and read every row',
  },
  {
    scan: /^SCAN audit_entries USING INDEX audit_entries_by_time\n.* limit \?/,
    why: 'a filter of an administrator reads entries in their order until its page is full',
  },
  {
    scan: / from "api_keys" where "hint" = \?/,
    why: 'an operator seldom looks for a key by its ending, and an index would cost each new key',
  },
  {
    scan: /^SCAN o USING INDEX sqlite_autoindex_organizations_1\n/,
    why: 'an administrator seldom reads a report on all organizations',
  },
  {
    scan: /^SCAN \w+\n.*CASE WHEN window_start >= CASE window_kind/,
    why: 'an administrator sorts all limits by what is used of them now, which no index has',
  },
  { scan: /\/\* a test's own \*\//, why: 'the product does not have this statement' },
];

/** Makes processes record their statements, and finds those that read a whole table. */
export function recordStatements() {
  const directory = temporaryDirectory();
  const recorder = new URL('./record-statements.ts', import.meta.url);
  recorder.search = pathToFileURL(`${directory.path}/`).href;
  return {
    /** The module to load into each process with `--import`. */
    module: recorder.href,
    /** Returns what to print for each scan, and ends the recording. */
    async faults(): Promise<string[]> {
      using _ended = directory;
      const texts = readdirSync(directory.path).map((name) =>
        readFileSync(join(directory.path, name), 'utf8'),
      );
      if (texts.length === 0) return [];
      using plans = await openPlans();
      return texts.flatMap((sql) => plans.faultOf(sql) ?? []);
    },
  };
}

/** Opens empty databases, and explains statements as SQLite plans them without statistics. */
export async function openPlans() {
  const directory = temporaryDirectory();
  await migrateSqlite(directory.path);
  const cache = join(directory.path, 'cache.db');
  openVectorDatabase(cache).close();
  const database = new DatabaseSync(join(directory.path, 'embedgate.db'));
  database.exec(`ATTACH '${cache}' AS cache`);
  const column = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row).at(-1)));
  const tables = new Set(column(`SELECT name FROM pragma_table_list WHERE type = 'table'`));
  return {
    /** Returns the statement, its plan and what to do if it reads a whole table that grows. */
    faultOf(sql: string): string | undefined {
      const plan = planOf(sql, column);
      const scanned = plan.filter((line) => {
        const table = scannedTable(line, sql, tables);
        return table !== undefined && !smallTables.test(table) && !isBounded(line, sql);
      });
      if (scanned.every((line) => allowed.some(({ scan }) => scan.test(`${line}\n${oneLine(sql)}`))))
        return undefined;
      return `A statement reads a whole table, which grows with tenants or with time:
  ${oneLine(sql)}
  ${plan.join('\n  ')}
Add an index or a condition that one has, or an entry with its reason to test/helpers/statement-plans.ts`;
    },
    [Symbol.dispose]() {
      database.close();
      directory[Symbol.dispose]();
    },
  };
}

const oneLine = (sql: string): string => sql.trim().replace(/\s+/g, ' ');

/** Returns the lines of a plan: none for a statement on tables that a test has created. */
function planOf(sql: string, column: (sql: string) => string[]): string[] {
  try {
    return column(`EXPLAIN QUERY PLAN ${sql}`);
  } catch (reason) {
    if (/no such (table|column|database)/.test(String(reason))) return [];
    throw reason;
  }
}

/** Returns the table that a line of a plan scans, by its name or its alias; nothing for a subquery. */
function scannedTable(line: string, sql: string, tables: ReadonlySet<string>): string | undefined {
  const [, name] = /^SCAN (\w+)/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const aliased = [...sql.matchAll(new RegExp(`(\\w+)"? (?:as )?"?${name}\\b`, 'gi'))].map(
    ([, table]) => table!,
  );
  return [name, ...aliased].find((table) => tables.has(table));
}

/** Reports whether a scan ends at its LIMIT: it follows the order of an index, and leaves out no row. */
function isBounded(line: string, sql: string): boolean {
  const withoutCounts = sql.replace(/\(select count\(\*\)[^)]*\)/gi, '');
  return (
    / USING (COVERING )?INDEX /.test(line) && /\blimit\b/i.test(sql) && !/\bwhere\b/i.test(withoutCounts)
  );
}
