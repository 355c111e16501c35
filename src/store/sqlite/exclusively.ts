import { tryProcessLock } from '../../lib/process-lock.ts';
import { busyElsewhere } from '../transactions.ts';

/** The name of the lock file in a data directory. */
export const lockName = 'exclusive.lock';

/**
 * Runs `body` unless another process is doing so under the same lock file; throws `unavailable` immediately then. No
 * lock outlives its process.
 */
export async function exclusively<R>(lockPath: string, body: () => Promise<R>): Promise<R> {
  using lock = tryProcessLock(lockPath);
  if (!lock) throw busyElsewhere();
  return await body();
}
