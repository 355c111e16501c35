import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * A connection of the test's own to the database of a running service. The service may hold the write lock at
 * any moment, so the connection waits for the lock as the service's own do.
 */
export function secondConnection(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'embedgate.db'), { timeout: 10_000 });
}
