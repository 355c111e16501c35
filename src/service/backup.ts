import { linkSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isThere, makePrivateDirectory, syncDirectory } from '../../packages/small/src/files.ts';
import type { Config } from '../config/config.ts';
import { databaseName, exclusively, lockName } from '../database/sqlite/database.ts';
import { codeOf, invalidRequest, messageOf, notFound, type ServiceError } from '../errors.ts';
import { deriveSecret } from '../keys/service-secrets.ts';
import { isoTime, systemClock } from '../lib/clock.ts';
import { isDiskFull } from '../lib/database.ts';
import { version } from '../version.ts';
import { copyDatabase, type Manifest, type OnCopied, pack, secretNames } from './backup/archive.ts';
import { requireData } from './core.ts';
import { noteBackup } from './last-backup.ts';

export interface BackupReport extends Manifest {
  readonly file: string;
  readonly sizeBytes: number;
  /** The names of the secrets in the file. */
  readonly secrets: readonly string[];
}

export interface BackupTarget {
  readonly to: string;
  /** Whether to replace an existing file. */
  readonly force: boolean;
}

/**
 * Writes everything except the cache to one file, as of a single moment, while the service runs. The file
 * appears when it is complete. Throws `invalid_request` if it already exists, and `unavailable` while another
 * command has locked the data.
 */
export async function backUp(
  config: Config,
  { to, force }: BackupTarget,
  onProgress: OnCopied,
): Promise<BackupReport> {
  if (config.postgres) {
    throw invalidRequest(
      'DATABASE_URL is set: back up a Postgres with pg_dump, as the documentation on operations shows',
    );
  }
  requireData(config);
  const file = resolve(to);
  if (!isThere(dirname(file))) throw notFound(`There is no directory ${dirname(file)}`);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw invalidRequest(`${file} is a directory: name a file in it`);
  }
  if (isThere(file) && !force) throw alreadyThere(file);
  const { dataDir } = config;
  const target = (reason: unknown): never => {
    if (!isDiskFull(reason)) throw reason;
    throw new Error(`There is no room for ${file}: ${messageOf(reason)}`, { cause: reason });
  };
  return await inStage(`${file}.partial`, (stage) =>
    // Excludes a rotation, which would change the signing keys between copying the database and copying the keys.
    exclusively(join(dataDir, lockName), async () => {
      const [copy, archive] = [join(stage, databaseName), join(stage, 'backup.tar.gz')];
      const copied = copyDatabase(join(dataDir, databaseName), copy);
      const createdAt = isoTime(systemClock.now());
      const manifest: Manifest = {
        version,
        store: 'sqlite',
        createdAt,
        ...copied,
        authFingerprint: authFingerprint(config),
      };
      const secrets = ownSecrets(config);
      await pack(archive, copy, secrets, manifest, onProgress);
      const sizeBytes = statSync(archive).size;
      put(archive, file, force);
      noteBackup(dataDir);
      return { ...manifest, file, sizeBytes, secrets: [...secrets.keys()] };
    }),
  ).catch(target);
}

const stageLock = 'lock';
const isWindows = process.platform === 'win32';

/**
 * Runs `body` with an empty directory, and removes it afterwards. A backup that was killed may have left the directory
 * with a copy of the database in it. Throws `unavailable` while another process uses it.
 */
async function inStage<R>(stage: string, body: (stage: string) => Promise<R>): Promise<R> {
  makeStage(stage);
  const clear = () => {
    const left = readdirSync(stage).filter((name) => !name.startsWith(stageLock));
    for (const name of left) rmSync(join(stage, name), { recursive: true });
  };
  const result = await exclusively(join(stage, stageLock), async () => {
    try {
      clear();
      return await body(stage);
    } finally {
      // Windows deletes no file that is open, such as the lock.
      if (isWindows) clear();
      else rmSync(stage, { recursive: true, force: true });
    }
  });
  if (isWindows) rmSync(stage, { recursive: true, force: true });
  return result;
}

/** Anyone who may write beside the backup could have created the directory, to read or to replace what is put there. */
function makeStage(stage: string): void {
  makePrivateDirectory(stage);
  if (isWindows) return;
  const found = lstatSync(stage);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return;
  throw invalidRequest(`${stage} exists and is not a directory of yours alone: remove it`);
}

/** The secrets that the service created itself. The operator keeps those of the environment. */
function ownSecrets({ dataDir, signingKey, authSecret }: Config): Map<string, string> {
  const given = { 'signing-key.pem': signingKey, 'auth-secret': authSecret };
  const made = secretNames.filter((name) => given[name] === null && isThere(join(dataDir, name)));
  return new Map(made.map((name) => [name, join(dataDir, name)]));
}

/** A fingerprint of AUTH_SECRET, or null if there is none yet. */
export function authFingerprint(config: Config): string | null {
  if (config.authSecret === null && !isThere(join(config.dataDir, 'auth-secret'))) return null;
  return deriveSecret(config, 'fingerprint').subarray(0, 8).toString('hex');
}

function put(archive: string, file: string, force: boolean): void {
  try {
    if (force) renameSync(archive, file);
    else linkSync(archive, file);
  } catch (reason) {
    if (codeOf(reason) === 'EEXIST') throw alreadyThere(file);
    throw reason;
  }
  syncDirectory(dirname(file));
}

const alreadyThere = (file: string): ServiceError =>
  invalidRequest(`${file} exists: choose another name, or replace it with --force`);
