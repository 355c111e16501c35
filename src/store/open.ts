import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Stores } from './stores.ts';

/**
 * The stores that the configuration names, brought up to date. Loads nothing of the other database. `onWatchFailure` is told
 * once an outage that changes made elsewhere can't be heard. Throws an error that names where the data should be.
 */
export async function openStores(
  config: Config,
  clock: Clock,
  onWatchFailure: (reason: unknown) => void,
): Promise<Stores> {
  const { dataDir, postgres } = config;
  try {
    if (postgres) {
      const { openPostgresStores } = await import('./postgres/open.ts');
      const { url, listenUrl, poolSize } = postgres;
      return await openPostgresStores(url, {
        listenUrl: listenUrl ?? url,
        poolSize,
        onListenFailure: onWatchFailure,
      });
    }
    const { openSqliteStores } = await import('./sqlite/open.ts');
    return await openSqliteStores(dataDir, clock);
  } catch (reason) {
    const where = postgres ? 'database of DATABASE_URL' : `data in ${dataDir}`;
    throw new Error(`The ${where} can't be opened: ${(reason as Error).message}`, { cause: reason });
  }
}
