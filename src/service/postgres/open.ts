import { type Deadlines, deadlinesMs, writableText } from '../../database/postgres/connection.ts';
import { functionName } from '../../database/postgres/functions.ts';
import { migratePostgres } from '../../database/postgres/migrate.ts';
import { kyselyOver, Pool, type Statement } from '../../database/postgres/pool.ts';
import { exclusively } from '../../database/postgres/session.ts';
import { postgresTime, timeOf } from '../../database/sql.ts';
import { boundedLookups, PostgresVectors } from '../../embeddings/postgres-vectors.ts';
import { PostgresWatch, probeChannel } from '../../keys/postgres-watch.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { PostgresLedger } from '../../quota/postgres-ledger.ts';
import { standardTiers, type Tiers } from '../../quota/tiers.ts';
import { requestReports } from '../../usage/request-reports.ts';
import { usageReports } from '../../usage/usage-reports.ts';
import { usageSnapshots } from '../../usage/usage-snapshot.ts';
import { libraryStatements } from '../../users/library-statements.ts';
import { remoteKysely } from '../../users/remote-kysely.ts';
import { relationalStores } from '../relational-stores.ts';
import { authDatabase, type Stores } from '../stores.ts';

export interface PostgresOptions {
  /** Maximum number of connections, at least 4. Listening takes one more. */
  readonly poolSize?: number;
  /** Where to listen for changes if `url` leads to a pooler in transaction mode, which can't listen. Default: `url`. */
  readonly listenUrl?: string;
  /** Called once per outage of the notifications. During the outage, each request looks up its key in the database. */
  readonly onListenFailure?: (reason: unknown) => void;
  /** Must be the same for all replicas. */
  readonly tiers?: Tiers;
  /** The time of changes that people make. */
  readonly clock?: Clock;
  /** Replaces the database's clock, for tests that set the time. */
  readonly windowClock?: Clock;
  /** Replaces the standard ones, for tests of what is decided and found, however busy the machine is. */
  readonly deadlines?: Deadlines;
}

const defaultPoolSize = 10;
/** With less, some of what a process does at once would never get a connection. */
const neededConnections = 4;
/**
 * The ledger has its own connections, so that lookups of keys and vectors never delay a decision: one for a flush, one
 * for a flush of locked organizations, and one for reading standings.
 */
const ledgerPoolSize = { most: 3, leastForOthers: 2 };

const pingStatement: Statement = { name: 'ping', text: writableText };

const setUpStatement: Statement = {
  name: 'set_up',
  text: 'SELECT FROM installation WHERE created_at IS NOT NULL AND pending_org_id IS NULL',
};

const addUsageStatement: Statement = {
  name: 'add_usage',
  text: `SELECT FROM ${functionName('add_usage')}($1, $2, $3, $4, $5)`,
};

const probeStatement: Statement = { name: 'probe', text: 'SELECT pg_notify($1, $2)' };

/** Opens the stores on a Postgres, which any number of replicas can share. Brings the schema up to date, or throws. */
export async function openPostgresStores(url: string, options: PostgresOptions = {}): Promise<Stores> {
  const { poolSize = defaultPoolSize, listenUrl = url, onListenFailure = () => {}, windowClock } = options;
  const { tiers = standardTiers, deadlines = deadlinesMs } = options;
  await migratePostgres(url, neededConnections);
  const poolOptions = { deadlines, onSuspicion: (): void => watch.listenAgain() };
  const forLedger = Math.max(1, Math.min(ledgerPoolSize.most, poolSize - ledgerPoolSize.leastForOthers));
  const pool = new Pool(url, Math.max(1, poolSize - forLedger), poolOptions);
  const ledgerPool = new Pool(url, forLedger, poolOptions);
  const watch: PostgresWatch = new PostgresWatch(
    listenUrl,
    (token) => pool.query(probeStatement, [probeChannel, token]),
    onListenFailure,
  );
  const kysely = kyselyOver(pool);
  const time = windowClock ? timeOf(windowClock) : postgresTime;
  const stores = relationalStores(
    kysely,
    'postgres',
    time,
    options.clock ?? windowClock ?? systemClock,
    tiers,
  );

  return {
    ...stores,
    keys: notifyingHere(stores.keys, ['change', 'revoke'], watch.notifyAll),
    organizations: notifyingHere(
      stores.organizations,
      ['change', 'setTier', 'purgeVectors', 'delete'],
      watch.notifyAll,
    ),
    limits: notifyingHere(stores.limits, ['add', 'setAmount', 'remove'], watch.notifyAll),
    userChanges: notifyingHere(stores.userChanges, ['change', 'delete', 'deleteUnattached'], watch.notifyAll),
    authDatabase: async () => authDatabase(remoteKysely(libraryStatements(kysely), 'postgres')),
    usage: {
      async add({ writerId, number, days, hours, entries }) {
        await pool.query(addUsageStatement, [writerId, number, days, hours, entries]);
      },
      ...usageReports(kysely),
      ...usageSnapshots(kysely, 'postgres', time),
    },
    requestLog: { ...stores.requestLog, ...requestReports(kysely) },
    ledger: new PostgresLedger(ledgerPool, watch, tiers, windowClock),
    vectors: boundedLookups(new PostgresVectors(pool), deadlines.lookUp),
    watch,
    async ping() {
      await ledgerPool.query(pingStatement, []);
    },
    isSetUp: async () => (await pool.query(setUpStatement, [])).length > 0,
    exclusively: (body) => exclusively(url, body),
    async close() {
      await Promise.all([watch.close(), pool.close(), ledgerPool.close()]);
    },
  };
}

/**
 * Returns a store whose named methods notify this process's listeners when they finish, successfully or not. The
 * notification for the other replicas goes through the database, and the next request could be faster.
 */
function notifyingHere<S extends object>(
  store: S,
  methods: readonly (keyof S & string)[],
  notify: () => void,
): S {
  const notifying = methods.map((name) => {
    const method = store[name] as (...args: unknown[]) => Promise<unknown>;
    return [name, (...args: unknown[]) => method.apply(store, args).finally(notify)];
  });
  return { ...store, ...Object.fromEntries(notifying) };
}
