import { workerData } from 'node:worker_threads';
import { Tiers } from '../../quota/tiers.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { inTransaction, openDatabase } from './database.ts';
import type { WriterData } from './database-thread.ts';
import { SqliteLedger } from './ledger.ts';
import { statementRunner } from './statements.ts';

// The thread that owns the connection that writes: an fsync stops only this thread, not the event loop.

const { tiers, ...paths } = workerData as WriterData;
const database = openDatabase(paths.database, { durable: true });

answerInTurn({
  stores: {
    sql: statementRunner(database),
    ledger: new SqliteLedger(database, new Tiers(tiers)),
    // With the write lock, since that is what a quota decision needs.
    database: { ping: () => inTransaction(database, () => undefined) },
  },
  // Kysely's 255 modules take 0.1 s, a sixth of a start, which nobody has to wait for.
  load: async () => (await import('./relational-stores.ts')).relationalStores(database),
  close: () => database.close(),
});
