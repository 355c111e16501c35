import type { Clock } from '../../lib/clock.ts';
import { standardTiers, type Tiers } from '../../quota/tiers.ts';
import { authDatabase } from '../auth-database.ts';
import { postgresTime, timeOf } from '../database-time.ts';
import { relationalStores } from '../relational-stores.ts';
import type { Stores } from '../stores.ts';
import type { TokenSigner } from '../token-signer.ts';
import { usageReports } from '../usage-reports.ts';
import { usageRollup } from '../usage-rollup.ts';
import { usageSnapshots } from '../usage-snapshot.ts';
import { boundedLookups } from './bounded-lookups.ts';
import { writableText } from './connection.ts';
import { exclusively } from './exclusively.ts';
import { kyselyOver } from './kysely.ts';
import { PostgresLedger } from './ledger.ts';
import { migratePostgres } from './migrate.ts';
import { Pool, type Statement } from './pool.ts';
import { tellingHere } from './telling-here.ts';
import { postgresUsage } from './usage.ts';
import { PostgresVectors } from './vectors.ts';
import { PostgresWatch, probeChannel } from './watch.ts';

export interface PostgresOptions {
  /** Connections at most, 4 or more; one for listening comes on top. */
  readonly poolSize?: number;
  /** Where to listen for changes when `url` leads to a pooler in transaction mode, which can't; else `url`. */
  readonly listenUrl?: string;
  /** Told once an outage that changes elsewhere can't be heard: until they can, each request looks its key up. */
  readonly onListenFailure?: (reason: unknown) => void;
  /** The same for all replicas. */
  readonly tiers?: Tiers;
  /** Needed where a release before 0.3 has made keys. */
  readonly signer?: TokenSigner;
  /** Takes the place of the database's clock: for tests that decide the time. */
  readonly windowClock?: Clock;
}

const defaultPoolSize = 10;
/**
 * A flush, one of organizations whose rows are locked, and a read of standings at a time: apart, so that lookups of keys and vectors never
 * hold up a decision.
 */
const ledgerPoolSize = { most: 3, leastForOthers: 2 };

const pingStatement: Statement = { name: 'ping', text: writableText };

const tiersInUseStatement: Statement = {
  name: 'tiers_in_use',
  text: 'SELECT DISTINCT tier FROM organizations',
};

const setUpStatement: Statement = {
  name: 'set_up',
  text: 'SELECT FROM installation WHERE pending_org_id IS NULL',
};

const probeStatement: Statement = { name: 'probe', text: 'SELECT pg_notify($1, $2)' };

/** The stores on a Postgres that any number of replicas share. Brings the schema up to date, and throws if it can't. */
export async function openPostgresStores(url: string, options: PostgresOptions = {}): Promise<Stores> {
  const { poolSize = defaultPoolSize, listenUrl = url, onListenFailure = () => {}, windowClock } = options;
  const { tiers = standardTiers, signer } = options;
  await migratePostgres(url, { ...(signer && { signer }) });
  const listenAgain = (): void => watch.listenAgain();
  const forLedger = Math.max(1, Math.min(ledgerPoolSize.most, poolSize - ledgerPoolSize.leastForOthers));
  const pool = new Pool(url, Math.max(1, poolSize - forLedger), listenAgain);
  const ledgerPool = new Pool(url, forLedger, listenAgain);
  const watch: PostgresWatch = new PostgresWatch(
    listenUrl,
    (token) => pool.query(probeStatement, [probeChannel, token]),
    onListenFailure,
  );
  const kysely = kyselyOver(pool);
  const time = windowClock ? timeOf(windowClock) : postgresTime;
  const stores = relationalStores(kysely, 'postgres', time);

  return {
    ...stores,
    keys: tellingHere(stores.keys, ['change', 'revoke'], watch.tellAll),
    organizations: tellingHere(stores.organizations, ['setTier', 'delete'], watch.tellAll),
    userChanges: tellingHere(stores.userChanges, ['change', 'delete'], watch.tellAll),
    authDatabase: async () => authDatabase(kysely),
    usage: {
      ...postgresUsage(pool, kysely),
      ...usageReports(kysely),
      ...usageRollup(kysely, 'postgres'),
      ...usageSnapshots(kysely, 'postgres', time),
    },
    ledger: new PostgresLedger(ledgerPool, watch, tiers, windowClock),
    vectors: boundedLookups(new PostgresVectors(pool)),
    watch,
    async ping() {
      await ledgerPool.query(pingStatement, []);
    },
    isSetUp: async () => (await pool.query(setUpStatement, [])).length > 0,
    tiersInUse: async () =>
      (await pool.query<{ tier: string }>(tiersInUseStatement, [])).map(({ tier }) => tier),
    exclusively: (body) => exclusively(url, body),
    async close() {
      await Promise.all([watch.close(), pool.close(), ledgerPool.close()]);
    },
  };
}
