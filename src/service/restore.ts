import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import { ServiceError } from '../errors.ts';
import { fixedKeyring, generateSigningKey, type Keyring, parseSigningKeys } from '../keys/keyring.ts';
import { readArchivedText, verifyArchive } from '../store/backup/archive-reader.ts';
import { progressTowards } from '../store/backup/backup.ts';
import type { Manifest } from '../store/backup/manifest.ts';
import type { TokenSigner } from '../store/bind-before-step.ts';
import { authFingerprint } from './backup.ts';
import { keyringOf } from './gate.ts';
import { move } from './move.ts';

export interface RestoreReport extends Manifest {
  /** The target of the restore. */
  readonly target: string;
  readonly warnings: readonly string[];
}

type OnBytes = (bytes: number) => void;

const signingKeyName = 'signing-key.pem';

/**
 * Restores a backup to the empty data directory or the empty Postgres that the environment names. A backup of
 * SQLite can be restored to both. Verifies the whole backup first. If it is killed at any point, it can be
 * run again.
 */
export async function restore(
  environment: NodeJS.ProcessEnv,
  from: string,
  onProgress: (done: number, total: number) => void,
): Promise<RestoreReport> {
  const config = readConfig(environment);
  const path = resolve(from);
  const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  // The file is read twice: the first time to verify it.
  const step = progressTowards(2 * sizeBytes, onProgress);
  const manifest = await verifyArchive(path, step);
  const { postgres, dataDir } = config;
  if (!postgres && manifest.store === 'postgres') {
    throw new ServiceError(
      'invalid_request',
      'This is a backup of a Postgres: set DATABASE_URL to an empty database, and SIGNING_KEY and AUTH_SECRET as they were',
    );
  }
  if (postgres) {
    const keyring = keyringOf(config);
    requireSigned(manifest, keyring);
    await restoreToPostgres(environment, { url: postgres.url, path, manifest, keyring, step });
  } else {
    const keyring = await keyringAfter(config, path);
    requireSigned(manifest, keyring);
    const { restoreSqlite } = await import('../store/backup/sqlite-restore.ts');
    await restoreSqlite(dataDir, path, { manifest, signer: signerWith(keyring), onBytes: step });
  }
  return {
    ...manifest,
    target: postgres ? 'the database of DATABASE_URL' : dataDir,
    warnings: warningsOf(manifest, config),
  };
}

async function restoreToPostgres(
  environment: NodeJS.ProcessEnv,
  request: { url: string; path: string; manifest: Manifest; keyring: Keyring; step: OnBytes },
): Promise<void> {
  const { url, path, manifest, keyring, step } = request;
  const { requireUnused, restorePostgres } = await import('../store/backup/postgres-restore.ts');
  await requireUnused(url);
  if (manifest.store === 'postgres') {
    return restorePostgres(url, path, { manifest, signer: signerWith(keyring), onBytes: step });
  }
  const { unpackDatabase } = await import('../store/backup/sqlite-restore.ts');
  const directory = mkdtempSync(join(tmpdir(), 'embedgate-restore-'));
  try {
    const database = join(directory, 'embedgate.db');
    await unpackDatabase(path, database, step);
    const { finishedBefore } = await move(environment, { path: database, url }, () => {});
    if (finishedBefore) {
      throw new ServiceError(
        'invalid_request',
        'The target is not empty: this backup was restored to it before',
      );
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Without a keyring, no API key of the backup is valid, because the key that the service creates has signed
 * none of them.
 */
function signerWith(keyring: Keyring | undefined): TokenSigner {
  return { keyring: () => keyring ?? fixedKeyring([generateSigningKey()]) };
}

/**
 * The signing keys of a service on the restored directory: SIGNING_KEY, otherwise the backup's, otherwise the
 * existing ones.
 */
async function keyringAfter(config: Config, path: string): Promise<Keyring | undefined> {
  if (config.signingKey !== null) return keyringOf(config);
  const existing = join(config.dataDir, signingKeyName);
  const pem =
    (await readArchivedText(path, signingKeyName)) ??
    (existsSync(existing) ? readFileSync(existing, 'utf8') : undefined);
  return pem === undefined ? undefined : fixedKeyring(parseSigningKeys(pem));
}

/**
 * A token is valid under the key that signed it. With another signing key, every API key would be refused.
 */
function requireSigned({ signedBy }: Manifest, keyring: Keyring | undefined): void {
  const counts = Object.entries(signedBy);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const orphaned = counts
    .filter(([kid]) => !keyring?.find(Buffer.from(kid, 'hex')))
    .reduce((sum, [, count]) => sum + count, 0);
  if (orphaned === 0) return;
  throw new ServiceError(
    'invalid_request',
    `SIGNING_KEY did not sign ${orphaned} of the ${total} active API keys in the backup, which would be refused: ` +
      'set it to the key that the service had when the backup was made',
  );
}

function warningsOf(manifest: Manifest, config: Config): string[] {
  const isSame = manifest.authFingerprint === null || manifest.authFingerprint === authFingerprint(config);
  return isSame
    ? []
    : [
        'AUTH_SECRET differs from the one that the backup was made with: everyone has to sign in again, and second factors and ' +
          'webhooks have to be set up again',
      ];
}
