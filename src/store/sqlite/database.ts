import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../errors.ts';
import { makePrivateDirectory } from '../../lib/files.ts';
import { keepPrivate } from './private-file.ts';

/** How long a writer waits for another process's transaction before it gives up. */
const busyTimeoutMs = 2_000;
const busy = 5;

export const databaseName = 'embedgate.db';

/** Where a data directory has its database. Makes the directory where there is none. */
export function databasePath(dataDir: string): string {
  makePrivateDirectory(dataDir);
  return join(dataDir, databaseName);
}

/**
 * Opens a database in WAL mode. `durable`: a commit has reached the disk when it returns; else it may be lost with the
 * power, but the file stays consistent. `pageBytes`: of a file that is made, in place of SQLite's own size.
 */
export function openDatabase(path: string, options: { durable: boolean; pageBytes?: number }): DatabaseSync {
  keepPrivate(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  if (options.pageBytes !== undefined) database.exec(`PRAGMA page_size = ${options.pageBytes}`);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${options.durable ? 'FULL' : 'NORMAL'};
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
  `);
  return database;
}

/** A connection that can only read; the database must exist. Readers never wait for writers. */
export function openReader(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: true });
}

/**
 * Opens a database that no other process can open until it is closed. SQLite's own lock: an open WAL database can't be taken
 * exclusively while another connection is on it. Throws `unavailable` when there is one.
 */
export function openAlone(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    return database;
  } catch (reason) {
    database.close();
    if ((reason as { errcode?: number }).errcode === busy) {
      throw new ServiceError('unavailable', `${path} is in use: stop the server, then run this again`);
    }
    throw new Error(`${path} can't be opened: ${(reason as Error).message}`, { cause: reason });
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
