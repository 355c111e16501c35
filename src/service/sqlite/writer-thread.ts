import { workerData } from 'node:worker_threads';
import { timeOf } from '../../database/sql.ts';
import { inTransaction, keepSpare, openDatabase } from '../../database/sqlite/database.ts';
import { kyselyOver } from '../../database/sqlite/kysely.ts';
import { serveInTurn } from '../../database/sqlite/serve-in-turn.ts';
import type { LedgerEntry } from '../../quota/ledger-store.ts';
import { SqliteLedger } from '../../quota/sqlite-ledger.ts';
import { type Tier, Tiers } from '../../quota/tiers.ts';
import { usageSink } from '../../usage/stored-usage.ts';
import { libraryStatements } from '../../users/library-statements.ts';
import { relationalStores } from '../relational-stores.ts';

// The thread that owns the writing connection. An fsync blocks this thread and not the event loop.

export interface WriterData {
  readonly database: string;
  readonly tiers: readonly Tier[];
}

export type WriterStores = typeof stores;

const { database: path, tiers: all }: WriterData = workerData;
const tiers = new Tiers(all);
const database = openDatabase(path, { durable: true });
keepSpare(database, path);
const ledger = new SqliteLedger(database, tiers);
const kysely = kyselyOver(database);

const stores = serveInTurn(
  (clock) => ({
    ...relationalStores(kysely, 'sqlite', timeOf(clock), clock, tiers),
    usage: usageSink(kysely),
    ledger: { flush: (entries: readonly LedgerEntry[]) => ledger.flush(entries, clock.now()) },
    sql: libraryStatements(kysely),
    // Takes the write lock, because a quota decision needs it.
    database: { ping: () => inTransaction(database, () => undefined) },
  }),
  () => database.close(),
);
