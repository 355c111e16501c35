import { hash, randomBytes } from 'node:crypto';

const secretPattern = /^sk_[0-9a-f]{64}$/;

/** Returns a new secret: `sk_` and 256 random bits as 64 lowercase hexadecimal characters. */
export function generateSecret(): string {
  return `sk_${randomBytes(32).toString('hex')}`;
}

export function isSecret(value: string): boolean {
  return secretPattern.test(value);
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

/** Returns the part of the secret that is shown so that people can recognize a key. */
export function hintOf(secret: string): string {
  return `sk_…${secret.slice(-4)}`;
}
