import { randomBytes } from 'node:crypto';

export type IdKind =
  | 'org'
  | 'key'
  | 'user'
  | 'inv'
  | 'alert'
  | 'target'
  | 'msg'
  | 'delivery'
  | 'auth'
  | 'run';

/** A random identifier: its kind, an underscore, 96 random bits in hexadecimal. */
export function newId(kind: IdKind): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}
