import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import { ServiceError } from '../errors.ts';
import { fixedKeyring, type Keyring, parseSigningKeys } from '../keys/keyring.ts';
import { readArchivedText, verifyArchive } from '../store/backup/archive-reader.ts';
import { progressTowards } from '../store/backup/backup.ts';
import type { Manifest } from '../store/backup/manifest.ts';
import { restoreSqlite } from '../store/backup/sqlite-restore.ts';
import { authFingerprint } from './backup.ts';
import { keyringOf } from './gate.ts';

export interface RestoreReport extends Manifest {
  /** The target of the restore. */
  readonly target: string;
  readonly warnings: readonly string[];
}

const signingKeyName = 'signing-key.pem';

/**
 * Restores a backup to the empty data directory that the environment names. Verifies the whole backup first. If it is
 * killed at any point, it can be run again.
 */
export async function restore(
  environment: NodeJS.ProcessEnv,
  from: string,
  onProgress: (done: number, total: number) => void,
): Promise<RestoreReport> {
  const config = readConfig(environment);
  if (config.postgres) {
    throw new ServiceError(
      'invalid_request',
      'DATABASE_URL is set: restore the backup to a data directory without it, then move it with "embedgate migrate --from"',
    );
  }
  const path = resolve(from);
  const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  // The file is read twice: the first time to verify it.
  const step = progressTowards(2 * sizeBytes, onProgress);
  const manifest = await verifyArchive(path, step);
  const { dataDir } = config;
  requireSigned(manifest, await keyringAfter(config, path));
  await restoreSqlite(dataDir, path, { manifest, onBytes: step });
  return { ...manifest, target: dataDir, warnings: warningsOf(manifest, config) };
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
