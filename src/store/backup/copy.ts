import type { DatabaseSync } from 'node:sqlite';
import { movedTables } from '../move/tables.ts';
import { openReader } from '../sqlite/database.ts';
import { versionOf } from '../sqlite/migrate.ts';
import type { Manifest } from './archive.ts';

/**
 * Copies a database in one transaction, while the service runs: in WAL mode, readers don't block writers. SQLite's
 * backup interface would start again at each write of another process. Throws if the schema is newer than this program.
 */
export function copyDatabase(path: string, copy: string): Pick<Manifest, 'schemaVersion' | 'tables'> {
  using source = openReader(path);
  const found = versionOf(source);
  source.prepare('VACUUM INTO ?').run(copy);
  using copied = openReader(copy);
  return { schemaVersion: found, tables: countRows(copied) };
}

/** Returns the number of rows of each table that the database has. */
export function countRows(database: DatabaseSync): Manifest['tables'] {
  const exists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`);
  const counts = movedTables
    .filter((table) => exists.get(table))
    .map((table) => [table, database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count]);
  return Object.fromEntries(counts);
}
