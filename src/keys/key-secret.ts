import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefix of keys whose form the API has fixed, without a checksum. */
const plainPrefix = 'sk';
const checksummed = /^\w+_[0-9a-f]{64}[0-9A-Za-z]{6}$/;
/** Clients can bring keys of another system, whatever their form. */
const anySecret = /^[!-~]{16,256}$/;
export const maxSecretLength = 256;

/**
 * Returns a new secret: the prefix, `_` and 256 random bits as 64 lowercase hexadecimal characters. With a prefix of the
 * installation's own, a checksum follows.
 */
export function generateSecret(prefix = plainPrefix): string {
  const secret = `${prefix}_${randomBytes(32).toString('hex')}`;
  return prefix === plainPrefix ? secret : secret + checksumOf(secret);
}

/** Returns the CRC-32 of a text as 6 digits in base 62, as GitHub's tokens have one. */
export function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < 6; i += 1) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Reports whether a text can be the secret of a key. It can't if its checksum is wrong. */
export function canBeSecret(text: string): boolean {
  if (!anySecret.test(text)) return false;
  return !checksummed.test(text) || text.endsWith(checksumOf(text.slice(0, -6)));
}

/** Returns the parts of a text that can be keys: first those in the form of the service's own keys, then other words. */
export function secretsIn(text: string, prefix = plainPrefix): Set<string> {
  const own = new RegExp(`${prefix}_[0-9a-f]{64}[0-9A-Za-z]{6}|${plainPrefix}_[0-9a-f]{64}`, 'g');
  return new Set([...(text.match(own) ?? []), ...text.split(/\s+/)].filter(canBeSecret));
}

/**
 * Returns the SHA-256 of the secret, as 64 hexadecimal characters. Only the digest is stored. An unsalted hash is
 * enough for 256 random bits.
 */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares two strings of the same length in constant time. node:crypto's function would need a copy of each. */
export function equalInConstantTime(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let i = 0; i < one.length; i += 1) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}

/**
 * Returns the part of the secret that is shown so that people can recognize a key. `text` can also be a hint, or its last
 * characters, to which `prefix` is added.
 */
export function hintOf(text: string, prefix = plainPrefix): string {
  const own = text.slice(0, Math.max(0, text.lastIndexOf('_')));
  return `${own || prefix}_…${text.slice(-4)}`;
}
