import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { SealedStore } from '../embeddings/vector-cache.ts';
import type { ChangeWatch } from '../keys/authenticate.ts';
import type { LedgerStore } from '../quota/ledger-store.ts';
import type { UsageSink } from '../usage/recorder.ts';
import type { RequestLogReader } from '../usage/request-reports.ts';
import type { UsageReader } from '../usage/usage-snapshot.ts';
import type { AuthDatabase } from '../users/sign-in.ts';
import type { RelationalStores } from './relational-stores.ts';

/** The stores of one database. */
export interface Stores extends RelationalStores {
  readonly requestLog: RelationalStores['requestLog'] & RequestLogReader;
  readonly usage: UsageSink & UsageReader;
  readonly ledger: LedgerStore;
  readonly vectors: SealedStore;
  readonly watch: ChangeWatch;
  /** Loads Kysely on the first call, so that no start waits for it. */
  authDatabase(): Promise<AuthDatabase>;
  /** Reports whether the first organization was created and its credentials were shown. */
  isSetUp(): Promise<boolean>;
  /** Runs `body` unless another process is doing so on the same data; throws `unavailable` immediately then. */
  exclusively<R>(body: () => Promise<R>): Promise<R>;
  /** Rejects if the database does not respond within its deadline. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Gives better-auth the database, whose columns have the names of its fields. `sqlite` is the format of values, on
 * Postgres too: times as ISO 8601 text, booleans as 0 and 1. So a row can be moved between the databases unchanged.
 */
export function authDatabase(kysely: Kysely<Database>): AuthDatabase {
  return { db: kysely, type: 'sqlite', transaction: false };
}
