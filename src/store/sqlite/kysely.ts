import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { columnNames, type Database } from '../schema.ts';

/** Kysely over a `node:sqlite` connection. Its calls are not concurrent: the owner awaits each before the next. */
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
 * A plain BEGIN takes the write lock at the first write, and then fails at once when another process wrote since the
 * first read; BEGIN IMMEDIATE waits its turn.
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
