import { readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, isThere } from '../../../packages/small/src/files.ts';
import { takeProcessLock } from '../../../packages/small/src/process-lock.ts';
import { messageOf } from '../../errors.ts';
import { olderDataMessage, ownSteps, type Steps, stepsTable } from '../migrations/index.ts';
import { countRowsOf, databasePath, lockName, openDatabase, openReader, rowsOf } from './database.ts';

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
  const orphansBefore = orphanCounts(database);
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
    for (const [reference, count] of orphanCounts(database))
      if (count > (orphansBefore.get(reference) ?? 0))
        throw new Error(`a row of ${reference} that is missing`);
  } catch (reason) {
    throw new Error(`the step ${steps.names[version]} failed: ${messageOf(reason)}`, { cause: reason });
  }
}

/** Returns the number of rows of each table. */
function rowCounts(database: DatabaseSync): Map<string, number> {
  const tables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`;
  const names = rowsOf<{ name: string }>(database.prepare(tables)).map(({ name }) => name);
  return new Map(names.map((name) => [name, countRowsOf(database, name)]));
}

/** Returns the number of rows that refer to a missing one, by what refers to what. Some may have been there before a step. */
function orphanCounts(database: DatabaseSync): Map<string, number> {
  const counts = new Map<string, number>();
  const orphans = database.prepare('PRAGMA foreign_key_check');
  for (const { table, parent } of rowsOf<{ table: string; parent: string }>(orphans)) {
    const reference = `${table} refers to a row of ${parent}`;
    counts.set(reference, (counts.get(reference) ?? 0) + 1);
  }
  return counts;
}

/** Migrates the database in a data directory. Creates both if needed. Processes take turns. */
export async function migrateSqlite(dataDir: string, steps: Steps = ownSteps): Promise<number> {
  const path = databasePath(dataDir);
  // Before it is opened for writing, because the data of another program must stay as they are.
  if (isThere(path) && sqliteVersion(dataDir, steps) === steps.version) return dropOldCopies(path);
  using _turn = await takeProcessLock(join(dataDir, lockName), {});
  const database = openDatabase(path, { durable: true });
  try {
    const found = versionOf(database, steps);
    if (found > 0 && found < steps.version) keepCopy(database, path, found);
    return await migrate(database, steps);
  } finally {
    database.close();
  }
}

/** The release before is needed, if at all, in the first days. The copy still has what was deleted since. */
const copyDays = 30;

/** Returns the copies from before upgrades. */
const copiesOf = (path: string): string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.before-`))
    .map((name) => join(dirname(path), name));

/** Deletes old copies. Returns the number of steps taken, which is none. */
function dropOldCopies(path: string): number {
  for (const copy of copiesOf(path))
    if (Date.now() - statSync(copy).mtimeMs > copyDays * 86_400_000) rmSync(copy, { force: true });
  return 0;
}

/** Copies the database as it is before its next step, for the release before. The copy replaces that of the last upgrade. */
function keepCopy(database: DatabaseSync, path: string, version: number): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  // The migration itself needs room too.
  if (bavail * bsize < 3 * statSync(path).size) return;
  const copy = `${path}.before-${version + 1}`;
  const partial = `${copy}.partial`;
  rmSync(partial, { force: true });
  createPrivateFile(partial);
  database.prepare('VACUUM INTO ?').run(partial);
  for (const earlier of copiesOf(path)) if (earlier !== partial) rmSync(earlier);
  renameSync(partial, copy);
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

/** Reports whether a newer release has taken steps that this one doesn't have, so that it doesn't know all columns. */
export const hasNewerSteps = (database: DatabaseSync): boolean => ownSteps.isBehind(stepsTaken(database));

const stepsTaken = (database: DatabaseSync): string[] =>
  rowsOf<{ name: string }>(database.prepare(`SELECT name FROM ${stepsTable}`)).map(({ name }) => name);

/** Returns the version of the schema, 0 if there is none. Throws for the schema of another program. */
export function versionOf(database: DatabaseSync, steps: Steps = ownSteps): number {
  // Early checkouts had the version there.
  if (database.prepare('PRAGMA user_version').get()?.user_version !== 0) throw new Error(olderDataMessage);
  if (!database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(stepsTable)) return 0;
  return steps.versionAfter(stepsTaken(database));
}
