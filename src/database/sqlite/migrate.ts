import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, isThere } from '../../../packages/small/src/files.ts';
import { messageOf } from '../../errors.ts';
import { olderDataMessage, ownSteps, type Steps, stepsTable } from '../migrations/index.ts';
import { databasePath, openDatabase, openReader, rowsOf } from './database.ts';

/** Brings the schema up to date in one transaction, and returns the number of steps. Processes take turns. */
export async function migrate(database: DatabaseSync, steps: Steps = ownSteps): Promise<number> {
  if (versionOf(database, steps) >= steps.version) return 0;
  // SQLite changes a constraint by a new table. Dropping the old one would delete the rows that refer to it.
  database.exec('PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE');
  try {
    const found = versionOf(database, steps);
    for (let version = found; version < steps.version; version += 1) await takeStep(database, steps, version);
    database.exec('COMMIT');
    return steps.version - found;
  } catch (reason) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw reason;
  } finally {
    database.exec('PRAGMA foreign_keys = ON');
  }
}

async function takeStep(database: DatabaseSync, steps: Steps, version: number): Promise<void> {
  const { deletesFrom = [] } = await steps.load(version);
  const before = rowCounts(database);
  try {
    await steps.take(version, 'sqlite', async (statement) => {
      database.exec(statement);
      return 0;
    });
    const after = rowCounts(database);
    for (const [table, count] of before) {
      const left = after.get(table) ?? 0;
      if (left >= count || deletesFrom.includes(table)) continue;
      throw new Error(`${table} had ${count} rows, and has ${left}`);
    }
    const [orphan] = rowsOf<{ table: string; parent: string }>(database.prepare('PRAGMA foreign_key_check'));
    if (orphan)
      throw new Error(`a row of ${orphan.table} refers to a row of ${orphan.parent} that is missing`);
  } catch (reason) {
    throw new Error(`the step ${steps.names[version]} failed: ${messageOf(reason)}`, { cause: reason });
  }
}

/** Returns the number of rows of each table. */
function rowCounts(database: DatabaseSync): Map<string, number> {
  const tables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`;
  const counted = rowsOf<{ name: string }>(database.prepare(tables)).map(({ name }) => {
    const row = database.prepare(`SELECT count(*) AS count FROM ${name}`).get();
    return [name, Number(row?.count)] as const;
  });
  return new Map(counted);
}

/** Migrates the database in a data directory. Creates both if needed. */
export async function migrateSqlite(dataDir: string, steps: Steps = ownSteps): Promise<number> {
  const path = databasePath(dataDir);
  // Before it is opened for writing, because the data of another program must stay as they are.
  const found = isThere(path) ? sqliteVersion(dataDir, steps) : 0;
  if (found >= steps.version) return 0;
  const database = openDatabase(path, { durable: true });
  try {
    if (found > 0) keepCopy(database, path, found);
    return await migrate(database, steps);
  } finally {
    database.close();
  }
}

/** Copies the database as it is before its next step, for the release before. The copy replaces that of the last upgrade. */
function keepCopy(database: DatabaseSync, path: string, version: number): void {
  const directory = dirname(path);
  const start = `${basename(path)}.before-`;
  for (const name of readdirSync(directory)) if (name.startsWith(start)) rmSync(join(directory, name));
  const { bavail, bsize } = statfsSync(directory);
  // The migration itself needs room too.
  if (bavail * bsize < 3 * statSync(path).size) return;
  const copy = join(directory, start + (version + 1));
  createPrivateFile(copy);
  database.prepare('VACUUM INTO ?').run(copy);
}

/** Returns the version of the schema of an existing database. */
export function sqliteVersion(dataDir: string, steps: Steps = ownSteps): number {
  const database = openReader(databasePath(dataDir));
  try {
    return versionOf(database, steps);
  } finally {
    database.close();
  }
}

/** Returns the version of the schema, 0 if there is none. Throws for the schema of another program. */
export function versionOf(database: DatabaseSync, steps: Steps = ownSteps): number {
  // Early checkouts had the version there.
  if (database.prepare('PRAGMA user_version').get()?.user_version !== 0) throw new Error(olderDataMessage);
  if (!database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(stepsTable)) return 0;
  const taken = rowsOf<{ name: string }>(database.prepare(`SELECT name FROM ${stepsTable}`));
  return steps.versionAfter(taken.map(({ name }) => name));
}
