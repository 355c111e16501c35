import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { writeFileAtomically } from '../../packages/small/src/files.ts';

export interface VerifyingKey {
  /** The first 8 bytes of the SHA-256 of the public key (SPKI, DER). */
  readonly kid: Uint8Array;
  readonly publicKey: KeyObject;
}

export interface SigningKey extends VerifyingKey {
  readonly privateKey: KeyObject;
}

/** The service's signing keys: the first one signs, all of them verify. */
export interface Keyring {
  /** Returns the key that currently signs. */
  signing(): SigningKey;
  find(kid: Uint8Array): VerifyingKey | undefined;
  /** Checks whether the keys have changed. Called whenever a token may have been re-signed. */
  refresh(): void;
  /** Throws if the keys can't be read any more. Until they can, those that were read before stay in use. */
  check(): void;
}

const pemPattern = /-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----/g;

/** Parses one or more Ed25519 private keys in PKCS#8 PEM, concatenated. Throws a TypeError that says what is wrong. */
export function parseSigningKeys(pem: string): SigningKey[] {
  const blocks = pem.match(pemPattern) ?? [];
  if (blocks.length === 0) throw new TypeError('holds no "-----BEGIN PRIVATE KEY-----" block');
  return blocks.map((block) => {
    let privateKey: KeyObject;
    try {
      privateKey = createPrivateKey(block);
    } catch {
      throw new TypeError('holds a private key that cannot be read');
    }
    if (privateKey.asymmetricKeyType !== 'ed25519') {
      throw new TypeError(`holds a ${privateKey.asymmetricKeyType} key, not an Ed25519 one`);
    }
    return signingKeyOf(privateKey);
  });
}

export function generateSigningKey(): SigningKey {
  return signingKeyOf(generateKeyPairSync('ed25519').privateKey);
}

function signingKeyOf(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const kid = new Uint8Array(createHash('sha256').update(spki).digest().subarray(0, 8));
  return { kid, publicKey, privateKey };
}

function pemOf(keys: readonly SigningKey[]): string {
  return keys.map((key) => key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()).join('');
}

/** Returns a keyring that never changes, for keys set in the environment. */
export function fixedKeyring(keys: readonly SigningKey[]): Keyring {
  const byKid = indexByKid(keys);
  const [first] = keys;
  if (!first) throw new TypeError('a keyring needs a key');
  return { signing: () => first, find: (kid) => byKid.get(hex(kid)), refresh: () => {}, check: () => {} };
}

/**
 * The keyring in a file, which is created with mode 0600 if missing. Picks up changes that another process makes to it,
 * unless the file is another one: it has neither the key that signs nor the one of a token that the database has.
 */
export class FileKeyring implements Keyring {
  readonly #path: string;
  #stamp = '';
  #keys: SigningKey[] = [];
  #byKid = new Map<string, SigningKey>();

  /** Throws a TypeError when the file holds no usable key, and the file system's error when it can't be read. */
  constructor(path: string) {
    this.#path = path;
    this.#read();
  }

  /** Opens the file at `path`, first creating it with a new key if it does not exist. */
  static openOrCreate(path: string): FileKeyring {
    writeFileAtomically(path, () => pemOf([generateSigningKey()]), { mode: 0o600, overwrite: false });
    return new FileKeyring(path);
  }

  signing(): SigningKey {
    return this.keys()[0];
  }

  /** Returns the keys currently in the file, the signing key first. */
  keys(): readonly [SigningKey, ...SigningKey[]] {
    // Signing is rare, so always reread the file: a token signed by a key that was just retired would be refused.
    this.refresh();
    return this.#keys as [SigningKey, ...SigningKey[]];
  }

  find(kid: Uint8Array): VerifyingKey | undefined {
    const known = this.#byKid.get(hex(kid));
    if (known) return known;
    // The token may be newer than the last read of the file.
    this.refresh(kid);
    return this.#byKid.get(hex(kid));
  }

  /** Replaces the keys in the file with `keys`. The first one signs. */
  replace(keys: readonly [SigningKey, ...SigningKey[]]): void {
    writeFileAtomically(this.#path, () => pemOf(keys), { mode: 0o600, overwrite: true });
    this.#read(keys[0].kid);
  }

  refresh(kid?: Uint8Array): void {
    try {
      this.#read(kid);
    } catch {
      // The file may be in the middle of an edit: keep the keys read before until it is readable again.
    }
  }

  check(): void {
    this.#read();
  }

  /** Throws if the file has neither the key that signs nor the one with the id `kid`. */
  #read(kid?: Uint8Array): void {
    const { mtimeMs, ino, size } = statSync(this.#path);
    const stamp = `${mtimeMs} ${ino} ${size}`;
    if (stamp === this.#stamp) return;
    const keys = parseSigningKeys(readFileSync(this.#path, 'utf8'));
    const byKid = indexByKid(keys);
    const [signing] = this.#keys;
    if (signing && ![signing.kid, kid].some((known) => known && byKid.has(hex(known))))
      throw new TypeError('The file of the signing key has another key');
    this.#keys = keys;
    this.#byKid = byKid;
    this.#stamp = stamp;
  }
}

function indexByKid<K extends VerifyingKey>(keys: readonly K[]): Map<string, K> {
  return new Map(keys.map((key) => [hex(key.kid), key]));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
