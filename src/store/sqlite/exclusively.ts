import { DatabaseSync } from 'node:sqlite';
import { busyElsewhere } from '../busy-elsewhere.ts';
import { keepPrivate } from './private-file.ts';

const busy = 5;

/** The lock file of a data directory. */
export const lockName = 'exclusive.lock';

/**
 * Runs `body` while no other process runs one under the same lock file. Throws `unavailable` at once when another
 * does. SQLite's lock on the file ends with the process, however that ends, so none is ever left behind.
 */
export async function exclusively<R>(lockPath: string, body: () => Promise<R>): Promise<R> {
  keepPrivate(lockPath);
  const lock = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (reason) {
    lock.close();
    if ((reason as { errcode?: number }).errcode !== busy) throw reason;
    throw busyElsewhere();
  }
  try {
    return await body();
  } finally {
    lock.close();
  }
}
