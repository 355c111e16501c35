import type { SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteDialect,
} from 'kysely';
import type { Database } from '../schema.ts';
import { columnNames } from '../sql.ts';
import type { DatabaseThread } from './database-thread.ts';
import type { WriterStores } from './writer-thread.ts';

type Writer = DatabaseThread<WriterStores>;

/**
 * Returns a Kysely whose statements run on the writing thread, each in a transaction of its own. So they never block
 * the event loop, and never wait for a lock that this process holds.
 */
export function remoteKysely(writer: Writer): Kysely<Database> {
  return new Kysely<Database>({ dialect: new RemoteDialect(writer), plugins: [columnNames] });
}

class RemoteDialect extends SqliteDialect {
  readonly #connection: DatabaseConnection;

  constructor(writer: Writer) {
    super({ database: async () => Promise.reject(new Error('The database belongs to another thread')) });
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const result = await writer.stores.sql.run(sql, parameters as SQLInputValue[]);
        return { rows: result.rows as R[], numAffectedRows: BigInt(result.changes) };
      },
      streamQuery: refuse,
    };
  }

  override createDriver(): Driver {
    return {
      init: async () => {},
      acquireConnection: async () => this.#connection,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: async () => {},
      destroy: async () => {},
    };
  }
}

function refuse(): never {
  throw new Error('Statements on another thread share no transaction');
}
