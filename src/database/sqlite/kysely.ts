import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { CompiledQuery, Kysely, SqliteDialect, type SqliteDialectConfig } from 'kysely';
import type { Database } from '../schema.ts';
import { columnNames } from '../sql.ts';

/** Returns a Kysely on a `node:sqlite` connection. The caller must await each call before the next. */
export function kyselyOver(database: DatabaseSync, { writes = true } = {}): Kysely<Database> {
  const config: SqliteDialectConfig = {
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
  };
  return new Kysely<Database>({
    plugins: [columnNames],
    dialect: writes ? new WritingDialect(database, config) : new SqliteDialect(config),
  });
}

/**
 * Begins transactions with BEGIN IMMEDIATE, which waits for the write lock. A plain BEGIN takes it at the first write,
 * which fails immediately if another process has written since the first read. Rolls back only if SQLite hasn't done so
 * itself, as on a full disk: the error of a second ROLLBACK would hide the first one.
 */
class WritingDialect extends SqliteDialect {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync, config: SqliteDialectConfig) {
    super(config);
    this.#database = database;
  }

  override createDriver() {
    const driver = super.createDriver();
    const rollBack = driver.rollbackTransaction.bind(driver);
    driver.rollbackTransaction = async (connection) => {
      if (this.#database.isTransaction) await rollBack(connection);
    };
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
    };
    return driver;
  }
}
