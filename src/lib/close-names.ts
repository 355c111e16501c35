import { diff } from 'node:util';

/** A wrong letter is two edits, as are two letters that are swapped. */
const maxEdits = 2;
/** Shorter names resemble too many others. */
export const minLength = 4;

/**
 * Reports whether two names differ by one wrong, missing, needless or swapped letter, or by up to `most` missing
 * ones.
 */
export function areClose(one: string, other: string, most = 1): boolean {
  if (Math.abs(one.length - other.length) > most) return false;
  return diff(one, other).filter(([operation]) => operation !== 0).length <= maxEdits;
}
