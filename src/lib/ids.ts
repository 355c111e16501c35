import { randomBytes } from 'node:crypto';

/** A random identifier: its kind, an underscore, 96 random bits in hexadecimal. */
export function newId(kind: 'org' | 'key' | 'user'): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}
