import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Stores } from './stores.ts';

/**
 * The stores that the configuration names, brought up to date. Loads nothing of the other database. `onWatchFailure` is told
 * once an outage that changes made elsewhere can't be heard. Throws an error that names where the data should be.
 */
export function openStores(
  config: Config,
  clock: Clock,
  onWatchFailure: (reason: unknown) => void,
): Promise<Stores> {
  const { dataDir, postgres } = config;
  return sayingWhere(config, async () => {
    if (!postgres) {
      const { openSqliteStores } = await import('./sqlite/open.ts');
      return openSqliteStores(dataDir, clock);
    }
    const { openPostgresStores } = await import('./postgres/open.ts');
    const { url, listenUrl, poolSize } = postgres;
    return openPostgresStores(url, {
      listenUrl: listenUrl ?? url,
      poolSize,
      onListenFailure: onWatchFailure,
    });
  });
}

/** Brings the schema up to date and answers how many steps this call took. */
export function migrateStores(config: Config): Promise<number> {
  const { dataDir, postgres } = config;
  return sayingWhere(config, async () => {
    if (postgres) return (await import('./postgres/migrate.ts')).migratePostgres(postgres.url);
    return (await import('./sqlite/migrate.ts')).migrateSqlite(dataDir);
  });
}

async function sayingWhere<R>({ dataDir, postgres }: Config, body: () => Promise<R>): Promise<R> {
  try {
    return await body();
  } catch (reason) {
    const where = postgres ? 'database of DATABASE_URL' : `data in ${dataDir}`;
    throw new Error(`The ${where} can't be opened: ${(reason as Error).message}`, { cause: reason });
  }
}
