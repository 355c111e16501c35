import { DatabaseSync } from 'node:sqlite';
import { busyElsewhere } from '../transactions.ts';
import { isBusy, keepPrivate } from './database.ts';

/** The name of the lock file in a data directory. */
export const lockName = 'exclusive.lock';

/**
 * Runs `body` unless another process is doing so under the same lock file; throws `unavailable` immediately then.
 * SQLite's lock on the file ends with the process, however that happens, so no lock is ever left behind.
 */
export async function exclusively<R>(lockPath: string, body: () => Promise<R>): Promise<R> {
  keepPrivate(lockPath);
  const lock = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (reason) {
    lock.close();
    throw isBusy(reason) ? busyElsewhere() : reason;
  }
  try {
    return await body();
  } finally {
    lock.close();
  }
}
