import { hash, randomBytes } from 'node:crypto';

const secretPattern = /^sk_[0-9a-f]{64}$/;

/** `sk_` and 256 random bits as 64 lowercase hexadecimal characters. */
export function generateSecret(): string {
  return `sk_${randomBytes(32).toString('hex')}`;
}

export function isSecret(value: string): boolean {
  return secretPattern.test(value);
}

/** SHA-256 of the secret, as 64 hexadecimal characters: all that is kept of it. Enough for 256 random bits. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Takes as long for strings that differ at the first character as at the last; crypto’s own would take a copy of each. */
export function equalInConstantTime(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let i = 0; i < one.length; i += 1) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}

/** What may be shown to recognise a key. */
export function hintOf(secret: string): string {
  return `sk_…${secret.slice(-4)}`;
}
