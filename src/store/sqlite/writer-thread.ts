import { workerData } from 'node:worker_threads';
import type { LedgerEntry } from '../../quota/ledger.ts';
import { type Tier, Tiers } from '../../quota/tiers.ts';
import { timeOf } from '../database-time.ts';
import { relationalStores } from '../relational-stores.ts';
import { usageSink } from '../usage.ts';
import { usageRollup } from '../usage-rollup.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { inTransaction, openDatabase } from './database.ts';
import { kyselyOver } from './kysely.ts';
import { LateUsage } from './late-usage.ts';
import { SqliteLedger } from './ledger.ts';
import { statementRunner } from './statements.ts';

// The thread that owns the connection that writes. An fsync stops this thread, not the event loop.

export interface WriterData {
  readonly database: string;
  readonly tiers: readonly Tier[];
}

export type WriterStores = typeof stores;

const { database: path, tiers } = workerData as WriterData;
const database = openDatabase(path, { durable: true });
const ledger = new SqliteLedger(database, new Tiers(tiers));
const kysely = kyselyOver(database);

const stores = answerInTurn(
  (clock) => ({
    ...relationalStores(kysely, 'sqlite', timeOf(clock)),
    usage: { ...usageSink(kysely, new LateUsage(database)), ...usageRollup(kysely, 'sqlite') },
    ledger: { flush: (entries: readonly LedgerEntry[]) => ledger.flush(entries, clock.now()) },
    sql: statementRunner(database),
    // With the write lock, since that is what a quota decision needs.
    database: { ping: () => inTransaction(database, () => undefined) },
  }),
  () => database.close(),
);
