import { workerData } from 'node:worker_threads';
import { accountStore } from '../accounts.ts';
import { attemptStore } from '../attempts.ts';
import { invitationStore } from '../invitations.ts';
import { keyStore } from '../keys.ts';
import { memberStore } from '../members.ts';
import { organizationStore } from '../organizations.ts';
import { usageSink } from '../usage.ts';
import { usageRollup } from '../usage-reports.ts';
import { type Answering, answerCalls } from './answer-calls.ts';
import { inTransaction, openDatabase } from './database.ts';
import type { DatabasePaths } from './database-thread.ts';
import { kyselyOver } from './kysely.ts';
import { SqliteLedger } from './ledger.ts';
import { migrate } from './migrate.ts';
import { statementRunner } from './statements.ts';
import { openVectorDatabase, SqliteVectors } from './vectors.ts';

// The thread that owns the writing connections: an fsync stops only this thread, not the event loop.

const paths = workerData as DatabasePaths;
const database = openDatabase(paths.database, { durable: true });
migrate(database);
const cache = openVectorDatabase(paths.cache);
const kysely = kyselyOver(database);

const stores: Record<string, Answering> = {
  keys: keyStore(kysely),
  organizations: organizationStore(kysely),
  accounts: accountStore(kysely),
  members: memberStore(kysely),
  invitations: invitationStore(kysely),
  attempts: attemptStore(kysely),
  // Nobody waits for these at the start.
  alerts: async () => (await import('../alerts.ts')).alertStore(kysely),
  targets: async () => (await import('../notification-targets.ts')).targetStore(kysely),
  deliveries: async () => (await import('../deliveries.ts')).deliveryStore(kysely),
  leases: async () => (await import('../leases.ts')).leaseStore(kysely),
  sql: statementRunner(database),
  usage: { ...usageSink(kysely), ...usageRollup(kysely) },
  ledger: new SqliteLedger(database),
  vectors: new SqliteVectors(cache),
  // With the write lock, since that is what a quota decision needs.
  database: { ping: () => inTransaction(database, () => undefined) },
};

answerCalls(stores, () => {
  database.close();
  cache.close();
});
