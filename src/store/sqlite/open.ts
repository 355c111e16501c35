import { join } from 'node:path';
import type { DeletionStore } from '../../accounts/deletions.ts';
import type { OrganizationStore } from '../../accounts/organizations.ts';
import { openKeyring } from '../../keys/secrets.ts';
import type { Clock } from '../../lib/clock.ts';
import { inSteps } from '../../lib/in-steps.ts';
import { lazily } from '../../lib/lazily.ts';
import type { LedgerStore } from '../../quota/ledger.ts';
import { standardTiers } from '../../quota/tiers.ts';
import type { AlertStore } from '../../usage/alerts/alert.ts';
import type { DeliveryStore } from '../../usage/notifiers/deliveries.ts';
import type { UsageSink } from '../../usage/recorder.ts';
import type { UsageReader } from '../../usage/reports.ts';
import type { UsageRollup } from '../../usage/roll-up.ts';
import { authDatabase } from '../auth-database.ts';
import type { Stores } from '../stores.ts';
import type { TokenSigner } from '../token-signer.ts';
import { databasePath, openReader } from './database.ts';
import { DatabaseThread } from './database-thread.ts';
import { exclusively, lockName } from './exclusively.ts';
import { standingReader } from './ledger.ts';
import { migrateSqlite } from './migrate.ts';
import { createVectorDatabase } from './vector-database.ts';
import { vectorReader } from './vectors.ts';
import { sqliteWatch } from './watch.ts';

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
  const writer = await DatabaseThread.writing({ ...paths, tiers: tiers.all }, options.deadlineMs);
  const reader = openReader(paths.database);
  createVectorDatabase(paths.cache).close();
  const cacheReader = openReader(paths.cache);
  // Commands write no vectors.
  const caching = lazily(() => DatabaseThread.caching(paths));
  const cache = async (method: string, args: unknown[]): Promise<unknown> =>
    (await caching.get()).call('vectors', method, args);
  // Most processes, and all that only start, report nothing.
  const reading = lazily(() => DatabaseThread.reading(paths));
  const report = async (method: string, args: unknown[]): Promise<unknown> =>
    (await reading.get()).call('usage', method, args);
  const reports = {
    rows: (...args) => report('rows', args),
    totalsByKey: (...args) => report('totalsByKey', args),
    totalsByDay: (...args) => report('totalsByDay', args),
    paces: (...args) => report('paces', args),
    snapshot: (...args) => report('snapshot', [...args, clock.now()]),
    unrolled: (...args) => report('unrolled', args),
  } as UsageReader & Pick<UsageRollup, 'unrolled'>;
  /** A call of a method that needs the time as well. */
  const timed = <R>(store: string, method: string, args: unknown[]): Promise<R> =>
    writer.call(store, method, [...args, clock.now()]) as Promise<R>;
  const watch = sqliteWatch(reader);
  const readStanding = standingReader(reader, tiers);
  const readVectors = vectorReader(cacheReader);

  return {
    keys: writer.remote('keys', [
      'organization',
      'change',
      'revoke',
      'find',
      'findByDigest',
      'successors',
      'count',
      'list',
      'activeKeys',
      'tokensAfter',
      'replaceTokens',
      'pruneEnded',
    ]),
    organizations: {
      ...writer.remote<Omit<OrganizationStore, 'delete'>>('organizations', [
        'insert',
        'insertFirst',
        'findFirst',
        'finishFirst',
        'find',
        'list',
        'rename',
        'deleteEnded',
        'setTier',
      ]),
      delete: (...args) => timed('organizations', 'delete', args),
    },
    deletions: {
      ...writer.remote<Omit<DeletionStore, 'finish'>>('deletions', ['list', 'step']),
      finish: (...args) => timed('deletions', 'finish', args),
    },
    accounts: writer.remote('accounts', [
      'insert',
      'find',
      'findByEmail',
      'credentials',
      'credentialsByEmail',
      'list',
      'rename',
      'setPassword',
      'changePassword',
      'makeWayForProvider',
    ]),
    userChanges: writer.remote('userChanges', ['change', 'delete']),
    sessions: writer.remote('sessions', ['list', 'end', 'endAll', 'pruneExpired']),
    passwordResets: writer.remote('passwordResets', ['insert', 'find', 'use']),
    members: writer.remote('members', ['role', 'list', 'of', 'add', 'change']),
    invitations: writer.remote('invitations', [
      'put',
      'pruneExpired',
      'list',
      'findByDigest',
      'isExpected',
      'accept',
      'delete',
    ]),
    attempts: writer.remote('attempts', ['count', 'claim', 'prune']),
    async authDatabase() {
      const { remoteKysely } = await import('./remote-kysely.ts');
      return authDatabase(remoteKysely(writer));
    },
    usage: {
      ...writer.remote<UsageSink & Omit<UsageRollup, 'unrolled'>>('usage', [
        'add',
        'pruneWriters',
        'beginRollUp',
        'stepRollUp',
      ]),
      ...reports,
    },
    alerts: {
      ...writer.remote<Omit<AlertStore, 'raise'>>('alerts', [
        'settings',
        'setSettings',
        'settingsOf',
        'list',
        'acknowledge',
        'countedWindows',
        'prune',
      ]),
      raise: (...args) => timed('alerts', 'raise', args),
    },
    targets: writer.remote('targets', ['insert', 'list', 'delete']),
    deliveries: {
      ...writer.remote<Pick<DeliveryStore, 'find' | 'list' | 'prune'>>('deliveries', [
        'find',
        'list',
        'prune',
      ]),
      enqueue: (...args) => timed('deliveries', 'enqueue', args),
      claim: (...args) => timed('deliveries', 'claim', args),
      settle: (...args) => timed('deliveries', 'settle', args),
    },
    leases: { take: (...args) => timed('leases', 'take', args) },
    windowRepair: {
      future: (...args) => timed('windowRepair', 'future', args),
      repair: (...args) => timed('windowRepair', 'repair', args),
    },
    ledger: {
      flush: (entries) =>
        writer.call('ledger', 'flush', [entries, clock.now()]) as ReturnType<LedgerStore['flush']>,
      standing: async (orgId) => readStanding(orgId, clock.now()),
      version: watch.dataVersion,
    },
    vectors: {
      get: async (keys) => readVectors(keys),
      async put(entries, nowMs) {
        await cache('put', [entries, nowMs]);
      },
      prune: (bounds, signal) => inSteps(async () => (await cache('pruneSome', [bounds])) === true, signal),
    },
    watch,
    ping: async () => {
      await writer.call('database', 'ping', []);
    },
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
