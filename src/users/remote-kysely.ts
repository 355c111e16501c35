import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type QueryResult,
  SqliteDialect,
} from 'kysely';
import type { DatabaseKind } from '../database/migrations/database-kind.ts';
import type { Database } from '../database/schema.ts';
import { columnNames } from '../database/sql.ts';
import type { LibraryStatements } from './library-statements.ts';

/**
 * Returns a Kysely whose statements `statements` runs, each in a transaction of its own: on SQLite on the writing
 * thread, so that they never block the event loop, and never wait for a lock that this process holds.
 */
export function remoteKysely(statements: LibraryStatements, databaseKind: DatabaseKind): Kysely<Database> {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changes } = await statements.run(sql, parameters);
      return { rows: rows as R[], numAffectedRows: BigInt(changes) };
    },
    streamQuery: refuse,
  };
  const driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  const local =
    databaseKind === 'sqlite'
      ? new SqliteDialect({ database: refuse })
      : new PostgresDialect({ pool: refuse });
  local.createDriver = () => driver;
  return new Kysely<Database>({ dialect: local, plugins: [columnNames] });
}

function refuse(): never {
  throw new Error('These statements run elsewhere, and share no transaction');
}
