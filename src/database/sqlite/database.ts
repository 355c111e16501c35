import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  createPrivateFile,
  keepFilePrivate,
  makePrivateDirectory,
} from '../../../packages/small/src/files.ts';
import { isBusy, tryProcessLock } from '../../../packages/small/src/process-lock.ts';
import { messageOf, ServiceError } from '../../errors.ts';
import { isDiskFull } from '../../lib/database.ts';
import { busyElsewhere } from '../transactions.ts';

/** How long a writer waits for another process's transaction. */
const busyTimeoutMs = 2_000;
/** SQLite creates these with the mode of the database. */
const besides = ['-wal', '-shm', '-journal'];

export const databaseName = 'embedgate.db';

/** Returns the path of the database in a data directory. Creates the directory if needed. */
export function databasePath(dataDir: string): string {
  makePrivateDirectory(dataDir);
  return join(dataDir, databaseName);
}

const maxLogBytes = 64 << 20;

/**
 * Opens a database in WAL mode. With `durable`, a commit has reached the disk when it returns; otherwise it may be lost
 * in a power failure, but the file stays consistent. `pageBytes` is the page size of a new file, instead of SQLite's
 * default.
 */
export function openDatabase(path: string, options: { durable: boolean; pageBytes?: number }): DatabaseSync {
  keepPrivate(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  if (options.pageBytes !== undefined) database.exec(`PRAGMA page_size = ${options.pageBytes}`);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${options.durable ? 'FULL' : 'NORMAL'};
    -- On macOS, only this makes a commit reach the disk. Elsewhere it does nothing.
    PRAGMA fullfsync = ${options.durable ? 'ON' : 'OFF'};
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    -- Overwrites deleted secrets, such as that of a deleted organization's cache.
    PRAGMA secure_delete = FAST;
    -- The log grows while a reader holds a transaction. It is cut at the first checkpoint after that.
    PRAGMA journal_size_limit = ${maxLogBytes};
  `);
  return database;
}

const spareBytes = 4 << 20;

/**
 * Gives a database free pages, and a write-ahead log that is as long as SQLite lets it become. So small changes, such
 * as quota decisions and revocations, need no more space when the disk is full.
 */
export function keepSpare(database: DatabaseSync, path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) >= spareBytes) return;
  try {
    inTransaction(database, () => {
      database.exec('CREATE TABLE IF NOT EXISTS spare (bytes BLOB)');
      database.exec(`INSERT INTO spare VALUES (zeroblob(${spareBytes}))`);
    });
    database.exec('DROP TABLE IF EXISTS spare');
  } catch (reason) {
    if (!isDiskFull(reason)) throw reason;
  }
}

/** Opens a read-only connection to a database that exists. Readers never wait for writers. */
export function openReader(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: true });
}

/**
 * Opens a database that no other process can open until it is closed. Throws `unavailable` if another connection has it
 * open, for which SQLite refuses the exclusive lock on a WAL database.
 */
export function openAlone(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    return database;
  } catch (reason) {
    database.close();
    if (isBusy(reason)) {
      throw new ServiceError('unavailable', `${path} is in use: stop the server, then run this again`);
    }
    throw new Error(`${path} can't be opened: ${messageOf(reason)}`, { cause: reason });
  }
}

/**
 * Creates the file of a database for its owner only, because SQLite would create it with mode 0644. If it exists,
 * removes everyone else's permissions from it and from the files beside it, but leaves files of other owners unchanged.
 */
function keepPrivate(path: string): void {
  if (process.platform === 'win32') return;
  createPrivateFile(path);
  for (const file of [path, ...besides.map((ending) => path + ending)]) {
    keepFilePrivate(file);
  }
}

/** Runs `body` in one transaction that holds the write lock from its start. */
export function inTransaction<R>(database: DatabaseSync, body: () => R): R {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = body();
    database.exec('COMMIT');
    return result;
  } catch (reason) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw reason;
  }
}

/** Returns the first row of a statement's result. `Row` is what the statement selects. */
export function rowOf<Row>(statement: StatementSync, ...values: SQLInputValue[]): Row | undefined {
  return statement.get(...values) as Row | undefined;
}

/** Returns the rows of a statement's result. `Row` is what the statement selects. */
export function rowsOf<Row>(statement: StatementSync, ...values: SQLInputValue[]): Row[] {
  return statement.all(...values) as Row[];
}

/** Returns the number of rows of a table, whatever characters its name has. */
export function countRowsOf(database: DatabaseSync, table: string): number {
  const name = table.replaceAll('"', '""');
  return Number(database.prepare(`SELECT count(*) AS count FROM "${name}"`).get()?.count);
}

/** The name of the lock file in a data directory. */
export const lockName = 'exclusive.lock';

/**
 * Runs `body` unless another process is doing so under the same lock file; throws `unavailable` immediately then. No
 * lock outlives its process.
 */
export async function exclusively<R>(lockPath: string, body: () => Promise<R>): Promise<R> {
  using lock = tryProcessLock(lockPath);
  if (!lock) throw busyElsewhere();
  return await body();
}
