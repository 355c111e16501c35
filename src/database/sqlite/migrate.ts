import type { DatabaseSync } from 'node:sqlite';
import { isThere } from '../../../packages/small/src/files.ts';
import { olderDataMessage, schemaVersion, stepsTable, takeStep, versionAfter } from '../migrations/index.ts';
import { databasePath, openDatabase, openReader, rowsOf } from './database.ts';
import { kyselyOver } from './kysely.ts';

/** Brings the schema up to date in one transaction, and returns the number of steps. Processes take turns. */
export async function migrate(database: DatabaseSync): Promise<number> {
  if (versionOf(database) === schemaVersion) return 0;
  database.exec('BEGIN IMMEDIATE');
  try {
    const found = versionOf(database);
    const db = kyselyOver(database).withoutPlugins();
    for (let version = found; version < schemaVersion; version++) await takeStep(db, 'sqlite');
    database.exec('COMMIT');
    return schemaVersion - found;
  } catch (reason) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw reason;
  }
}

/** Migrates the database in a data directory. Creates both if needed. */
export async function migrateSqlite(dataDir: string): Promise<number> {
  const path = databasePath(dataDir);
  // Before it is opened for writing, because the data of another program must stay as they are.
  if (isThere(path) && sqliteVersion(dataDir) === schemaVersion) return 0;
  const database = openDatabase(path, { durable: true });
  try {
    return await migrate(database);
  } finally {
    database.close();
  }
}

/** Returns the version of the schema of an existing database. */
export function sqliteVersion(dataDir: string): number {
  const database = openReader(databasePath(dataDir));
  try {
    return versionOf(database);
  } finally {
    database.close();
  }
}

/** Returns the version of the schema, 0 if there is none. Throws for the schema of another program. */
export function versionOf(database: DatabaseSync): number {
  // Early checkouts had the version there.
  if (database.prepare('PRAGMA user_version').get()?.user_version !== 0) throw new Error(olderDataMessage);
  if (!database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(stepsTable)) return 0;
  const steps = rowsOf<{ name: string }>(database.prepare(`SELECT name FROM ${stepsTable}`));
  return versionAfter(steps.map(({ name }) => name));
}
