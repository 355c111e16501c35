import { hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, keepFilePrivate, writeFileAtomically } from '../../packages/small/src/files.ts';
import { FileKeyring, fixedKeyring, type Keyring, parseSigningKeys } from './keyring.ts';

const secretName = 'auth-secret';
const minSecretBytes = 32;

/**
 * The sources of the service's secrets: the environment, or files in the data directory that the first start creates.
 */
export interface SecretSources {
  readonly dataDir: string;
  readonly signingKey: string | null;
  readonly authSecret: string | null;
}

/**
 * Opens the signing keys. Creates the file in the data directory if it is missing and `mayCreate`. Throws a TypeError
 * that says what is wrong with the keys without revealing them.
 */
export function openKeyring(
  { dataDir, signingKey }: Pick<SecretSources, 'dataDir' | 'signingKey'>,
  mayCreate: boolean,
): Keyring {
  if (signingKey === null) {
    const path = join(dataDir, 'signing-key.pem');
    if (mayCreate) return FileKeyring.openOrCreate(path);
    if (!isThere(path)) throw new TypeError('is missing');
    keepFilePrivate(path);
    return new FileKeyring(path);
  }
  if (signingKey.includes('-----BEGIN')) return fixedKeyring(parseSigningKeys(signingKey));
  if (!isThere(signingKey))
    throw new TypeError('is neither a PEM private key nor the path of a file with one');
  return new FileKeyring(signingKey);
}

/** Derives 32 bytes for one purpose from the service's secret (HKDF, RFC 5869). */
export function deriveSecret({ dataDir, authSecret }: SecretSources, purpose: string): Buffer {
  const secret = authSecret ?? storedSecret(join(dataDir, secretName));
  return Buffer.from(hkdfSync('sha256', secret, 'embedgate', purpose, 32));
}

/** Throws a TypeError if the file with the service's secret exists but can't be used. */
export function checkStoredSecret({ dataDir, authSecret }: Omit<SecretSources, 'signingKey'>): void {
  const path = join(dataDir, secretName);
  if (authSecret === null && isThere(path)) readSecret(path);
}

/** Throws a TypeError if the service's secret is in a file that is gone. */
export function requireStoredSecret({ dataDir, authSecret }: Omit<SecretSources, 'signingKey'>): void {
  if (authSecret === null && !isThere(join(dataDir, secretName))) throw unusable('is missing');
}

function storedSecret(path: string): string {
  writeFileAtomically(path, () => randomBytes(32).toString('hex'), { mode: 0o600, overwrite: false });
  return readSecret(path);
}

function readSecret(path: string): string {
  if (!statSync(path).isFile()) throw unusable('is not a file');
  keepFilePrivate(path);
  const secret = readFileSync(path, 'utf8').trim();
  const bytes = Buffer.byteLength(secret);
  if (bytes < minSecretBytes) throw unusable(`has ${bytes} bytes but needs ${minSecretBytes} or more`);
  return secret;
}

const unusable = (fault: string): TypeError =>
  new TypeError(
    `auth-secret in DATA_DIR ${fault}: put it back from a backup, or write a new one with "openssl rand -hex ` +
      '32", after which everyone has to sign in again and the files of batches are lost',
  );
