import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isThere, makePrivateDirectory, syncDirectory } from '../../packages/small/src/files.ts';
import { type Config, readConfig } from '../config/config.ts';
import { databaseName, exclusively, lockName, openAlone, openDatabase } from '../database/sqlite/database.ts';
import { migrate } from '../database/sqlite/migrate.ts';
import { invalidRequest } from '../errors.ts';
import { fixedKeyring, type Keyring, parseSigningKeys } from '../keys/keyring.ts';
import { systemClock } from '../lib/clock.ts';
import { requireAccepted } from './accepted-keys.ts';
import { countRows, type Manifest, type OnCopied, secretNames, unpack } from './backup/archive.ts';
import { authFingerprint } from './backup.ts';
import { keyringOf } from './core.ts';
import { activeTokens, filesLeft } from './move/source.ts';

export interface RestoreReport extends Manifest {
  /** The target of the restore. */
  readonly target: string;
  readonly warnings: readonly string[];
}

/** The database is last, because the directory counts as empty until it exists. */
const restoredNames = [...secretNames, databaseName];

/**
 * Restores a backup to the empty data directory that the environment names. If it is killed at any point, it can be
 * run again. Throws `invalid_request` if the directory has data, and `unavailable` if a process uses it.
 */
export async function restore(
  environment: NodeJS.ProcessEnv,
  from: string,
  onProgress: OnCopied,
): Promise<RestoreReport> {
  const config = readConfig(environment);
  if (config.postgres) {
    throw invalidRequest(
      'DATABASE_URL is set: restore the backup to a data directory without it, then move it with "embedgate ' +
        'migrate --from"',
    );
  }
  const { dataDir } = config;
  makePrivateDirectory(dataDir);
  requireUnused(dataDir);
  return await exclusively(join(dataDir, lockName), async () => {
    requireEmpty(dataDir);
    const stage = join(dataDir, 'restore.partial');
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { mode: 0o700 });
    try {
      const manifest = await unpack(resolve(from), stage, onProgress);
      const left = await bringUpToDate(join(stage, databaseName), manifest, keyringAfter(config, stage));
      putInPlace(stage, dataDir);
      const warnings = [...(config.bucket ? [] : left), ...warningsOf(manifest, config)];
      return { ...manifest, target: dataDir, warnings };
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
  });
}

/** Throws `unavailable` if a service uses the directory: even if its database was deleted, it has the cache open. */
function requireUnused(dataDir: string): void {
  const cache = join(dataDir, 'cache.db');
  if (isThere(cache)) openAlone(cache).close();
}

function requireEmpty(dataDir: string): void {
  for (const name of [databaseName, `${databaseName}-wal`, `${databaseName}-shm`]) {
    if (!isThere(join(dataDir, name))) continue;
    throw invalidRequest(
      `${dataDir} is not empty: it has ${name}. Stop the service and move its files away, or set DATA_DIR to ` +
        'an empty directory',
    );
  }
}

/**
 * The signing keys of a service on the restored directory: SIGNING_KEY, otherwise the backup's, otherwise the
 * existing ones.
 */
function keyringAfter(config: Config, stage: string): Keyring | undefined {
  if (config.signingKey !== null) return keyringOf(config);
  const path = [stage, config.dataDir].map((place) => join(place, secretNames[0])).find(isThere);
  return path === undefined ? undefined : fixedKeyring(parseSigningKeys(readFileSync(path, 'utf8')));
}

async function bringUpToDate(
  path: string,
  { tables }: Manifest,
  keyring: Keyring | undefined,
): Promise<string[]> {
  // Closing removes the log, so that the database is a single file.
  using database = openDatabase(path, { durable: true });
  // Another release can have had other tables.
  if (!isDeepStrictEqual(countRows(database, Object.keys(tables)), tables))
    throw invalidRequest('The backup does not have the rows that its manifest states');
  await migrate(database);
  const tokens = activeTokens(database, systemClock.now());
  requireAccepted(tokens, keyring, 'set it to the key that the service had when the backup was made');
  return filesLeft(database);
}

function putInPlace(stage: string, dataDir: string): void {
  const owner = statSync(dataDir);
  // If root restores, the files must belong to the user who runs the service.
  const giveAway = (file: string) => process.getuid?.() === 0 && chownSync(file, owner.uid, owner.gid);
  for (const name of secretNames) requireSame(join(stage, name), join(dataDir, name));
  for (const name of restoredNames) {
    const restored = join(stage, name);
    if (!isThere(restored)) continue;
    syncFile(restored);
    giveAway(restored);
    renameSync(restored, join(dataDir, name));
    syncDirectory(dataDir);
  }
  giveAway(join(dataDir, lockName));
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** Throws `invalid_request` if a different secret exists. The same one may be there from a restore that was killed. */
function requireSame(restored: string, existing: string): void {
  if (!isThere(restored) || !isThere(existing)) return;
  if (readFileSync(restored).equals(readFileSync(existing))) return;
  throw invalidRequest(
    `${existing} differs from the one in the backup: move it away, or set DATA_DIR to an empty directory`,
  );
}

function warningsOf(manifest: Manifest, config: Config): string[] {
  const isSame = manifest.authFingerprint === null || manifest.authFingerprint === authFingerprint(config);
  return isSame
    ? []
    : [
        'AUTH_SECRET differs from the one that the backup was made with: everyone has to sign in again, and ' +
          'second factors and ' +
          'webhooks have to be set up again',
      ];
}
