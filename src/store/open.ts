import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import type { Tiers } from '../quota/tiers.ts';
import type { Stores } from './stores.ts';
import type { TokenSigner } from './token-signer.ts';

/** Where the data is. */
export interface DataPlace {
  /** Of SQLite, where `postgres` is null. */
  readonly dataDir: string;
  readonly postgres: {
    readonly url: string;
    readonly listenUrl: string | null;
    readonly poolSize: number;
  } | null;
}

/**
 * The stores that the place names, brought up to date. Loads nothing of the other database. `onWatchFailure` is told
 * once an outage that changes made elsewhere can't be heard. Throws an error that names where the data should be.
 */
export function openStores(
  place: DataPlace & { readonly tiers: Tiers },
  signer: TokenSigner,
  clock: Clock,
  onWatchFailure: (reason: unknown) => void,
): Promise<Stores> {
  const { dataDir, postgres, tiers } = place;
  return sayingWhere(place, async () => {
    if (!postgres) {
      const { openSqliteStores } = await import('./sqlite/open.ts');
      return openSqliteStores(dataDir, clock, tiers, signer);
    }
    const { openPostgresStores } = await import('./postgres/open.ts');
    const { url, listenUrl, poolSize } = postgres;
    return openPostgresStores(url, {
      listenUrl: listenUrl ?? url,
      poolSize,
      tiers,
      signer,
      onListenFailure: onWatchFailure,
    });
  });
}

/** Returns whether there is a database to open. A Postgres always counts as there. */
export function hasStores({ dataDir, postgres }: DataPlace): boolean {
  return postgres !== null || existsSync(join(dataDir, 'embedgate.db'));
}

/** Brings the schema up to date and answers how many steps this call took. */
export function migrateStores(place: DataPlace, signer: TokenSigner): Promise<number> {
  const { dataDir, postgres } = place;
  return sayingWhere(place, async () => {
    if (postgres) return (await import('./postgres/migrate.ts')).migratePostgres(postgres.url, { signer });
    return (await import('./sqlite/migrate.ts')).migrateSqlite(dataDir, signer);
  });
}

async function sayingWhere<R>({ dataDir, postgres }: DataPlace, body: () => Promise<R>): Promise<R> {
  try {
    return await body();
  } catch (reason) {
    const where = postgres ? 'database of DATABASE_URL' : `data in ${dataDir}`;
    throw new Error(`The ${where} can't be opened: ${(reason as Error).message}`, { cause: reason });
  }
}
