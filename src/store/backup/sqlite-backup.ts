import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isoTime } from '../../lib/clock.ts';
import { programBeside, Thread } from '../../lib/threads/thread.ts';
import { newerSchemaMessage, schemaVersion } from '../migrations/index.ts';
import { movedTables } from '../move/tables.ts';
import type { CopyRequest } from '../sqlite/copy-thread.ts';
import { databaseName, exclusively, lockName, openReader } from '../sqlite/database.ts';
import { versionOf } from '../sqlite/migrate.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { type BackupRequest, type FinishedBackup, progressTowards } from './backup.ts';
import { keepSynced } from './keep-synced.ts';
import type { Manifest } from './manifest.ts';
import { SignedBy } from './signed-by.ts';

/**
 * Writes the database of a data directory and its secrets into an archive in `stage`. The service can go on, because in
 * SQLite's WAL mode readers don't block writers. Throws if the schema is newer than this program.
 */
export function backUpSqlite(dataDir: string, request: BackupRequest): Promise<FinishedBackup> {
  // Excludes a rotation, which would change the signing keys between copying the database and copying the keys.
  return exclusively(join(dataDir, lockName), () => backUp(dataDir, request));
}

async function backUp(dataDir: string, request: BackupRequest): Promise<FinishedBackup> {
  const { stage, secrets, nowMs, onProgress } = request;
  const copy = join(stage, databaseName);
  await copyAtOneMoment(join(dataDir, databaseName), copy);
  const about = { ...request.about, ...describe(copy, nowMs) };
  const archive = join(stage, 'backup.tar.gz');
  await using writer = new ArchiveWriter(archive, nowMs);
  const step = progressTowards(statSync(copy).size, onProgress);
  await writer.addFile(databaseName, copy, step);
  for (const [name, path] of secrets) await writer.addFile(name, path);
  await writer.finish(about);
  return { archive, about };
}

/**
 * Copies the database in one transaction. SQLite's backup interface would start again at each write of another process.
 */
async function copyAtOneMoment(path: string, copy: string): Promise<void> {
  const found = readVersion(path);
  if (found > schemaVersion) throw new Error(newerSchemaMessage(found));
  const thread = new Thread<CopyRequest, null>({
    entry: programBeside(import.meta.url, '../sqlite/copy-thread'),
    name: 'copy',
    data: null,
  });
  try {
    await keepSynced(copy, thread.call({ path, copy }));
  } finally {
    await thread.close();
  }
}

function readVersion(path: string): number {
  const database = openReader(path);
  try {
    return versionOf(database);
  } finally {
    database.close();
  }
}

function describe(copy: string, nowMs: number): Omit<Manifest, 'files' | 'version' | 'authFingerprint'> {
  const database = openReader(copy);
  try {
    const signedBy = new SignedBy(nowMs);
    const keys = database.prepare('SELECT status, token, expires_at AS expiresAt FROM api_keys').iterate();
    for (const key of keys) signedBy.add(key as unknown as Parameters<SignedBy['add']>[0]);
    return {
      schemaVersion: versionOf(database),
      store: 'sqlite',
      createdAt: isoTime(nowMs),
      tables: countTables(database),
      signedBy: signedBy.counts,
    };
  } finally {
    database.close();
  }
}

/** Returns the number of rows of each table that exists: an older schema has fewer. */
export function countTables(database: DatabaseSync): Manifest['tables'] {
  const exists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`);
  const counts = movedTables
    .filter((table) => exists.get(table))
    .map((table) => [table, database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count]);
  return Object.fromEntries(counts);
}
