import { isForeignKeyViolation } from '../lib/foreign-keys.ts';

/**
 * Returns what `write` returns, or `missing` when a row that it refers to, such as its organization or user, was deleted meanwhile.
 */
export async function unlessDeleted<R, M>(write: Promise<R>, missing: M): Promise<R | M> {
  try {
    return await write;
  } catch (reason) {
    if (!isForeignKeyViolation(reason)) throw reason;
    return missing;
  }
}
