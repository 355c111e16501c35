import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import type { Database } from '../schema.ts';
import { columnNames } from '../sql.ts';

/** Returns a Kysely on a `node:sqlite` connection. The caller must await each call before the next. */
export function kyselyOver(database: DatabaseSync, { writes = true } = {}): Kysely<Database> {
  const Dialect = writes ? WriteLockingDialect : SqliteDialect;
  return new Kysely<Database>({
    plugins: [columnNames],
    dialect: new Dialect({
      database: {
        prepare(sql) {
          const statement = database.prepare(sql);
          const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
          return {
            reader: statement.columns().length > 0,
            all: (parameters) => statement.all(...bind(parameters)),
            run: (parameters) => statement.run(...bind(parameters)),
            iterate: (parameters) => statement.iterate(...bind(parameters)),
          };
        },
        close: () => database.close(),
      },
    }),
  });
}

/**
 * Begins transactions with BEGIN IMMEDIATE, which waits for the write lock. A plain BEGIN takes it at the first write,
 * which fails immediately if another process has written since the first read.
 */
class WriteLockingDialect extends SqliteDialect {
  override createDriver() {
    const driver = super.createDriver();
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
    };
    return driver;
  }
}
