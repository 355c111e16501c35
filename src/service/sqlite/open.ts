import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { programBeside } from '../../../packages/small/src/threads/thread.ts';
import { databasePath, exclusively, lockName, openReader } from '../../database/sqlite/database.ts';
import { DatabaseThread } from '../../database/sqlite/database-thread.ts';
import { migrateSqlite } from '../../database/sqlite/migrate.ts';
import { createVectorDatabase } from '../../embeddings/sqlite-vector-database.ts';
import { vectorReader } from '../../embeddings/sqlite-vectors.ts';
import { messageOf } from '../../errors.ts';
import { sqliteWatch } from '../../keys/sqlite-watch.ts';
import type { Clock } from '../../lib/clock.ts';
import { inSteps } from '../../lib/in-steps.ts';
import { type Lazy, lazily } from '../../lib/lazily.ts';
import { standingsReader } from '../../quota/sqlite-ledger.ts';
import { standardTiers } from '../../quota/tiers.ts';
import { authDatabase, type Stores } from '../stores.ts';
import type { CacheData, CacheStores } from './cache-thread.ts';
import type { ReaderData, ReaderStores } from './reader-thread.ts';
import type { WriterData, WriterStores } from './writer-thread.ts';

type Reader = Lazy<DatabaseThread<ReaderStores>>;

/**
 * Opens the stores in a directory: `embedgate.db`, and `cache.db` with the vectors, which has a thread of its own. The
 * writing thread runs all other writes and rare reads. Reads that every request makes use connections of the calling
 * thread. `deadlineMs` replaces the default deadline of the writing thread's calls.
 */
export async function openSqliteStores(
  dataDir: string,
  clock: Clock,
  tiers = standardTiers,
  options: { readonly deadlineMs?: () => number } = {},
): Promise<Stores> {
  await migrateSqlite(dataDir);
  const paths = { database: databasePath(dataDir), cache: join(dataDir, 'cache.db') };
  // A thread that runs already would keep a process alive that can't open the cache.
  const cacheReader = openCache(paths.cache);
  const writer = await DatabaseThread.start<WriterStores>({
    program: programBeside(import.meta.url, 'writer-thread'),
    name: 'database',
    clock,
    deadlineMs: options.deadlineMs,
    data: { database: paths.database, tiers: tiers.all } satisfies WriterData,
  });
  // On a full disk, the thread can open the database and this one can't. It would keep the process alive.
  await using opened = new AsyncDisposableStack();
  opened.defer(() => writer.close());
  const { sql: statements, database, ledger, ...stores } = writer.stores;
  const reader = openReader(paths.database);
  // Commands write no vectors, so they don't start this thread.
  const caching = lazily(() =>
    DatabaseThread.start<CacheStores>({
      program: programBeside(import.meta.url, 'cache-thread'),
      name: 'cache',
      clock,
      data: { cache: paths.cache } satisfies CacheData,
    }),
  );
  const cache = async () => (await caching.get()).stores.vectors;
  // Most processes read none of these. No organization's report waits for a list of all organizations.
  const [forReports, forLists] = ['reports', 'lists'].map((name) =>
    lazily(() =>
      DatabaseThread.start<ReaderStores>({
        program: programBeside(import.meta.url, 'reader-thread'),
        name,
        clock,
        data: { database: paths.database } satisfies ReaderData,
      }),
    ),
  ) as [Reader, Reader];
  /** Returns methods of a store that run on a reading thread. */
  function reading<Store extends keyof ReaderStores, Method extends keyof ReaderStores[Store]>(
    thread: Reader,
    store: Store,
    ...methods: readonly Method[]
  ) {
    const call =
      (method: Method) =>
      async (...args: unknown[]) => {
        const { stores } = await thread.get();
        return (stores[store][method] as (...args: unknown[]) => unknown)(...args);
      };
    const called = Object.fromEntries(methods.map((method) => [method, call(method)]));
    return called as Pick<ReaderStores[Store], Method>;
  }
  const watch = sqliteWatch(reader);
  const readStandings = standingsReader(reader, tiers);
  const readVectors = vectorReader(cacheReader);
  opened.move();

  return {
    ...stores,
    async authDatabase() {
      const { remoteKysely } = await import('../../users/remote-kysely.ts');
      return authDatabase(remoteKysely(statements, 'sqlite'));
    },
    audit: { ...stores.audit, ...reading(forReports, 'audit', 'page') },
    // A search reads all rows of a list, for which no quota decision may wait.
    keys: { ...stores.keys, ...reading(forReports, 'keys', 'list', 'counts') },
    members: { ...stores.members, ...reading(forReports, 'members', 'list') },
    organizations: { ...stores.organizations, ...reading(forLists, 'organizations', 'list') },
    users: { ...stores.users, ...reading(forLists, 'users', 'list') },
    overview: reading(forLists, 'overview', 'page'),
    usage: {
      ...stores.usage,
      ...reading(forReports, 'usage', 'rows', 'totalsByKey', 'totalsByModel', 'callersOf', 'totalsByDay'),
      ...reading(forReports, 'usage', 'snapshot', 'requestsOfKeys', 'activity', 'paces', 'sendersOf'),
      ...reading(forLists, 'usage', 'organizations'),
    },
    requestLog: {
      ...stores.requestLog,
      ...reading(forReports, 'requestLog', 'page', 'histogram', 'excessAt', 'hours', 'groups'),
    },
    ledger: {
      flush: ledger.flush,
      standings: async (orgId, scopeIds) => readStandings(orgId, scopeIds, clock.now()),
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
      reader
        .prepare('SELECT 1 FROM installation WHERE created_at IS NOT NULL AND pending_org_id IS NULL')
        .get() !== undefined,
    exclusively: (body) => exclusively(join(dataDir, lockName), body),
    async close() {
      // The last connection to close removes the WAL, for which it has to be a writing one.
      reader.close();
      cacheReader.close();
      for (const thread of [forReports, forLists]) await (await thread.loaded())?.close();
      await (await caching.loaded())?.close();
      await writer.close();
    },
  };
}

function openCache(path: string): DatabaseSync {
  try {
    createVectorDatabase(path).close();
    return openReader(path);
  } catch (reason) {
    throw new Error(`${basename(path)}: ${messageOf(reason)}`, { cause: reason });
  }
}
