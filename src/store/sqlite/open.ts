import { join } from 'node:path';
import { openKeyring } from '../../keys/service-secrets.ts';
import type { Clock } from '../../lib/clock.ts';
import { inSteps } from '../../lib/in-steps.ts';
import { lazily } from '../../lib/lazily.ts';
import { standardTiers } from '../../quota/tiers.ts';
import { authDatabase } from '../auth-database.ts';
import type { Stores } from '../stores.ts';
import type { TokenSigner } from '../token-signer.ts';
import type { CacheData, CacheStores } from './cache-thread.ts';
import { databasePath, openReader } from './database.ts';
import { DatabaseThread } from './database-thread.ts';
import { exclusively, lockName } from './exclusively.ts';
import { standingReader } from './ledger.ts';
import { migrateSqlite } from './migrate.ts';
import type { ReaderData, ReaderStores } from './reader-thread.ts';
import { createVectorDatabase } from './vector-database.ts';
import { vectorReader } from './vectors.ts';
import { sqliteWatch } from './watch.ts';
import type { WriterData, WriterStores } from './writer-thread.ts';

/**
 * The stores in one directory: `embedgate.db` and the vector cache's `cache.db`, which has a thread of its own. Everything else that writes, or
 * reads rarely, runs on the writing thread; what a request reads on its way comes from a connection of the calling thread. `deadlineMs`: how long the next call of
 * the writing thread may take, in place of the default.
 */
export async function openSqliteStores(
  dataDir: string,
  clock: Clock,
  tiers = standardTiers,
  signer: TokenSigner = { keyring: () => openKeyring({ dataDir, signingKey: null }) },
  options: { readonly deadlineMs?: () => number } = {},
): Promise<Stores> {
  await migrateSqlite(dataDir, signer);
  const paths = { database: databasePath(dataDir), cache: join(dataDir, 'cache.db') };
  const writer = await DatabaseThread.start<WriterStores>({
    ...{ program: 'writer-thread', name: 'database', clock, deadlineMs: options.deadlineMs },
    data: { database: paths.database, tiers: tiers.all } satisfies WriterData,
  });
  const { sql: _, database, ledger, ...stores } = writer.stores;
  const reader = openReader(paths.database);
  createVectorDatabase(paths.cache).close();
  const cacheReader = openReader(paths.cache);
  // Commands write no vectors.
  const caching = lazily(() =>
    DatabaseThread.start<CacheStores>({
      ...{ program: 'cache-thread', name: 'cache', clock },
      data: { cache: paths.cache } satisfies CacheData,
    }),
  );
  const cache = async () => (await caching.get()).stores.vectors;
  // Most processes, and all that only start, report nothing.
  const reading = lazily(() =>
    DatabaseThread.start<ReaderStores>({
      ...{ program: 'reader-thread', name: 'reports', clock },
      data: { database: paths.database } satisfies ReaderData,
    }),
  );
  const reports = async () => (await reading.get()).stores.usage;
  const watch = sqliteWatch(reader);
  const readStanding = standingReader(reader, tiers);
  const readVectors = vectorReader(cacheReader);

  return {
    ...stores,
    async authDatabase() {
      const { remoteKysely } = await import('./remote-kysely.ts');
      return authDatabase(remoteKysely(writer));
    },
    usage: {
      ...stores.usage,
      rows: async (...args) => (await reports()).rows(...args),
      totalsByKey: async (...args) => (await reports()).totalsByKey(...args),
      totalsByDay: async (...args) => (await reports()).totalsByDay(...args),
      paces: async (...args) => (await reports()).paces(...args),
      snapshot: async (...args) => (await reports()).snapshot(...args),
      unrolled: async (...args) => (await reports()).unrolled(...args),
    },
    ledger: {
      flush: ledger.flush,
      standing: async (orgId) => readStanding(orgId, clock.now()),
      version: watch.dataVersion,
    },
    vectors: {
      get: async (keys) => readVectors(keys),
      put: async (entries, nowMs) => (await cache()).put(entries, nowMs),
      prune: (bounds, signal) => inSteps(async () => (await cache()).pruneSome(bounds), signal),
    },
    watch,
    ping: database.ping,
    isSetUp: async () =>
      reader.prepare('SELECT 1 FROM installation WHERE pending_org_id IS NULL').get() !== undefined,
    tiersInUse: async () =>
      reader
        .prepare('SELECT DISTINCT tier FROM organizations')
        .all()
        .map(({ tier }) => String(tier)),
    exclusively: (body) => exclusively(join(dataDir, lockName), body),
    async close() {
      // The last connection to close takes the WAL with it, and only one that may write can.
      reader.close();
      cacheReader.close();
      await (await reading.loaded())?.close();
      await (await caching.loaded())?.close();
      await writer.close();
    },
  };
}
