import { parentPort, workerData } from 'node:worker_threads';
import { accountStore } from '../accounts.ts';
import { attemptStore } from '../attempts.ts';
import { invitationStore } from '../invitations.ts';
import { keyStore } from '../keys.ts';
import { memberStore } from '../members.ts';
import { organizationStore } from '../organizations.ts';
import { usageStore } from '../usage.ts';
import { inTransaction, openDatabase } from './database.ts';
import { kyselyOver } from './kysely.ts';
import { SqliteLedger } from './ledger.ts';
import { migrate } from './migrate.ts';
import { statementRunner } from './statements.ts';
import { openVectorDatabase, SqliteVectors } from './vectors.ts';
import type { Call, Reply, WriterPaths } from './writer.ts';

// The thread that owns the writing connections: an fsync stops only this thread, not the event loop.

const paths = workerData as WriterPaths;
const database = openDatabase(paths.database, { durable: true });
migrate(database);
const cache = openVectorDatabase(paths.cache);
const kysely = kyselyOver(database);

const stores: Record<string, object> = {
  keys: keyStore(kysely),
  organizations: organizationStore(kysely),
  accounts: accountStore(kysely),
  members: memberStore(kysely),
  invitations: invitationStore(kysely),
  attempts: attemptStore(kysely),
  sql: statementRunner(database),
  usage: usageStore(kysely),
  ledger: new SqliteLedger(database),
  vectors: new SqliteVectors(cache),
  // With the write lock, since that is what a quota decision needs.
  database: { ping: () => inTransaction(database, () => undefined) },
};

// One call after the other: a transaction of one must never hold a statement of another.
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (message: Call | 'close') => {
  last = last.then(async () => {
    if (message === 'close') {
      database.close();
      cache.close();
      parentPort?.close();
    } else {
      parentPort?.postMessage(await answer(message));
    }
  });
});
parentPort?.postMessage('ready');

async function answer({ id, store, method, args }: Call): Promise<Reply> {
  try {
    const target = stores[store] as Record<string, (...args: unknown[]) => unknown>;
    return { id, value: await target[method]?.(...args) };
  } catch (reason) {
    return { id, error: reason instanceof Error ? reason.message : String(reason) };
  }
}
