import {
  chmodSync,
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../errors.ts';
import { makePrivateDirectory, syncDirectory } from '../../lib/files.ts';
import {
  databaseName,
  exclusively,
  lockName,
  openAlone,
  openDatabase,
  openReader,
} from '../sqlite/database.ts';
import { migrate } from '../sqlite/migrate.ts';
import { readArchive } from './archive-reader.ts';
import type { RestoreOptions } from './backup.ts';
import { type Manifest, manifestName } from './manifest.ts';
import { countTables } from './sqlite-backup.ts';

const secretNames = ['signing-key.pem', 'auth-secret'] as const;
/** The database is last, because the directory counts as empty until it exists. */
const restoredNames = [...secretNames, databaseName];

/**
 * Restores a verified archive into a data directory without a database. If it is killed at any point, it can be run
 * again. Throws `invalid_request` if the directory has data, and `unavailable` if a process uses it.
 */
export async function restoreSqlite(
  dataDir: string,
  path: string,
  { manifest, onBytes }: RestoreOptions,
): Promise<void> {
  makePrivateDirectory(dataDir);
  requireUnused(dataDir);
  await exclusively(join(dataDir, lockName), async () => {
    requireEmpty(dataDir);
    const stage = join(dataDir, 'restore.partial');
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { mode: 0o700 });
    try {
      for await (const { name, content } of readArchive(path, onBytes)) {
        if (name === manifestName) break;
        if (!restoredNames.some((restored) => restored === name)) {
          throw new ServiceError(
            'invalid_request',
            `The backup has a file that does not belong there: ${name}`,
          );
        }
        await pipeline(
          content,
          createWriteStream(join(stage, name), { mode: 0o600, flags: 'wx', flush: true }),
        );
      }
      await bringUpToDate(join(stage, databaseName), manifest);
      putInPlace(stage, dataDir);
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
  });
}

/** Throws `unavailable` if a service uses the directory: even if its database was deleted, it has the cache open. */
function requireUnused(dataDir: string): void {
  const cache = join(dataDir, 'cache.db');
  if (existsSync(cache)) openAlone(cache).close();
}

function requireEmpty(dataDir: string): void {
  for (const name of [databaseName, `${databaseName}-wal`, `${databaseName}-shm`]) {
    if (!existsSync(join(dataDir, name))) continue;
    throw new ServiceError(
      'invalid_request',
      `${dataDir} is not empty: it has ${name}. Stop the service and move its files away, or set DATA_DIR to an empty directory`,
    );
  }
}

async function bringUpToDate(path: string, { tables }: Manifest): Promise<void> {
  const reader = openReader(path);
  try {
    if (JSON.stringify(countTables(reader)) !== JSON.stringify(tables)) {
      throw new ServiceError('invalid_request', 'The backup does not hold the rows that its manifest lists');
    }
  } finally {
    reader.close();
  }
  const database = openDatabase(path, { durable: true });
  try {
    await migrate(database);
  } finally {
    // Removes the log, so that the database is a single file.
    database.close();
  }
}

function putInPlace(stage: string, dataDir: string): void {
  const owner = statSync(dataDir);
  // If root restores, the files must belong to the user who runs the service.
  const giveAway = (file: string) => process.getuid?.() === 0 && chownSync(file, owner.uid, owner.gid);
  for (const name of secretNames) requireSame(join(stage, name), join(dataDir, name));
  for (const name of restoredNames) {
    const restored = join(stage, name);
    if (!existsSync(restored)) continue;
    chmodSync(restored, 0o600);
    giveAway(restored);
    renameSync(restored, join(dataDir, name));
    syncDirectory(dataDir);
  }
  giveAway(join(dataDir, lockName));
}

/** Throws `invalid_request` if a different secret exists. The same one may be there from a restore that was killed. */
function requireSame(restored: string, existing: string): void {
  if (!existsSync(restored) || !existsSync(existing)) return;
  if (readFileSync(restored).equals(readFileSync(existing))) return;
  throw new ServiceError(
    'invalid_request',
    `${existing} differs from the one in the backup: move it away, or set DATA_DIR to an empty directory`,
  );
}
