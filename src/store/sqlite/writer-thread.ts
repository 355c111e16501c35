import { workerData } from 'node:worker_threads';
import type { LedgerEntry } from '../../quota/ledger-store.ts';
import { type Tier, Tiers } from '../../quota/tiers.ts';
import { libraryStatements } from '../library-statements.ts';
import { relationalStores } from '../relational-stores.ts';
import { timeOf } from '../sql.ts';
import { usageSink } from '../usage.ts';
import { inTransaction, keepSpare, openDatabase } from './database.ts';
import { kyselyOver } from './kysely.ts';
import { SqliteLedger } from './ledger.ts';
import { serveInTurn } from './serve-in-turn.ts';

// The thread that owns the writing connection. An fsync blocks this thread and not the event loop.

export interface WriterData {
  readonly database: string;
  readonly tiers: readonly Tier[];
}

export type WriterStores = typeof stores;

const { database: path, tiers }: WriterData = workerData;
const database = openDatabase(path, { durable: true });
keepSpare(database, path);
const ledger = new SqliteLedger(database, new Tiers(tiers));
const kysely = kyselyOver(database);

const stores = serveInTurn(
  (clock) => ({
    ...relationalStores(kysely, 'sqlite', timeOf(clock), clock),
    usage: usageSink(kysely),
    ledger: { flush: (entries: readonly LedgerEntry[]) => ledger.flush(entries, clock.now()) },
    sql: libraryStatements(kysely),
    // Takes the write lock, because a quota decision needs it.
    database: { ping: () => inTransaction(database, () => undefined) },
  }),
  () => database.close(),
);
