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
import { databaseName, openAlone, openDatabase, openReader } from '../sqlite/database.ts';
import { exclusively, lockName } from '../sqlite/exclusively.ts';
import { migrate } from '../sqlite/migrate.ts';
import type { TokenSigner } from '../token-signer.ts';
import { readArchive } from './archive-reader.ts';
import { type Manifest, manifestName } from './manifest.ts';
import type { RestoreOptions } from './restore-options.ts';
import { countTables } from './sqlite-backup.ts';

const secretNames = ['signing-key.pem', 'auth-secret'] as const;
/** The database last: until it is there, the directory counts as empty. */
const restoredNames = [...secretNames, databaseName];

/**
 * Unpacks a verified archive into a data directory that has no database. Killed at any point, it can be run again. Throws
 * `invalid_request` when the directory has data, and `unavailable` when a process uses it.
 */
export async function restoreSqlite(
  dataDir: string,
  path: string,
  { manifest, signer, onBytes }: RestoreOptions,
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
        if (!(restoredNames as readonly string[]).includes(name)) {
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
      await bringUpToDate(join(stage, databaseName), manifest, signer);
      putInPlace(stage, dataDir);
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
  });
}

/** Unpacks the database alone, to `target`. */
export async function unpackDatabase(
  path: string,
  target: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  for await (const { name, content } of readArchive(path, onBytes)) {
    if (name !== databaseName) continue;
    await pipeline(content, createWriteStream(target, { mode: 0o600, flags: 'wx' }));
    return;
  }
}

/** A service that lost its database's file still has the cache's open. */
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

async function bringUpToDate(path: string, { tables }: Manifest, signer: TokenSigner): Promise<void> {
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
    await migrate(database, signer);
  } finally {
    // Takes the log with it, so that the database is one file.
    database.close();
  }
}

function putInPlace(stage: string, dataDir: string): void {
  const owner = statSync(dataDir);
  // Restored by root, the files belong to the user that the service runs as.
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

/** A secret that is there already is one that a restore which was killed has put there, or another installation's. */
function requireSame(restored: string, existing: string): void {
  if (!existsSync(restored) || !existsSync(existing)) return;
  if (readFileSync(restored).equals(readFileSync(existing))) return;
  throw new ServiceError(
    'invalid_request',
    `${existing} is another one than the backup's: move it away, or set DATA_DIR to an empty directory`,
  );
}
