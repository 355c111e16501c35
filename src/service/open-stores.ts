import { join } from 'node:path';
import { isThere } from '../../packages/small/src/files.ts';
import { messageOf } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { ownerOf } from '../lib/owner-of.ts';
import type { Tiers } from '../quota/tiers.ts';
import type { Stores } from './stores.ts';

/** The location of the data. */
export interface DataPlace {
  /** Used for SQLite, if `postgres` is null. */
  readonly dataDir: string;
  readonly postgres: {
    readonly url: string;
    readonly listenUrl: string | null;
    readonly poolSize: number;
  } | null;
}

/**
 * Opens the stores, and brings their schema up to date. Doesn't load the modules of the other database. Calls
 * `onWatchFailure` once per outage of the notifications about changes by other processes. Throws an error that names
 * the location.
 */
export function openStores(
  place: DataPlace & { readonly tiers: Tiers },
  clock: Clock,
  onWatchFailure: (reason: unknown) => void,
): Promise<Stores> {
  const { dataDir, postgres, tiers } = place;
  return sayingWhere(place, async () => {
    if (!postgres) {
      const { openSqliteStores } = await import('./sqlite/open.ts');
      return openSqliteStores(dataDir, clock, tiers);
    }
    const { openPostgresStores } = await import('./postgres/open.ts');
    const { url, listenUrl, poolSize } = postgres;
    return openPostgresStores(url, {
      listenUrl: listenUrl ?? url,
      poolSize,
      tiers,
      clock,
      onListenFailure: onWatchFailure,
    });
  });
}

/** Reports whether there is a database to open. Always true for Postgres. */
export function hasStores({ dataDir, postgres }: DataPlace): boolean {
  return postgres !== null || isThere(join(dataDir, 'embedgate.db'));
}

/** Brings the schema up to date, and returns the number of steps that this call took. */
export function migrateStores(place: DataPlace): Promise<number> {
  const { dataDir, postgres } = place;
  return sayingWhere(place, async () => {
    if (postgres) return (await import('../database/postgres/migrate.ts')).migratePostgres(postgres.url);
    return (await import('../database/sqlite/migrate.ts')).migrateSqlite(dataDir);
  });
}

/** Returns the version of the schema, 0 if there is none. Throws if it is newer than this program. */
export function storedVersion(place: DataPlace): Promise<number> {
  const { dataDir, postgres } = place;
  return sayingWhere(place, async () => {
    if (postgres) return (await import('../database/postgres/migrate.ts')).postgresVersion(postgres.url);
    return hasStores(place) ? (await import('../database/sqlite/migrate.ts')).sqliteVersion(dataDir) : 0;
  });
}

async function sayingWhere<R>({ dataDir, postgres }: DataPlace, body: () => Promise<R>): Promise<R> {
  try {
    return await body();
  } catch (reason) {
    const where = postgres ? 'database of DATABASE_URL' : `data in ${dataDir}`;
    const files = postgres ? [] : ['embedgate.db', 'cache.db'];
    const owner = files.map((name) => ownerOf(join(dataDir, name))).join('');
    throw new Error(`The ${where} can't be opened: ${messageOf(reason)}${owner}`, { cause: reason });
  }
}
