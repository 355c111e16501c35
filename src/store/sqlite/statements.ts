import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** The result of a statement. */
export interface StatementResult {
  readonly rows: unknown[];
  readonly changes: number;
}

/** Runs single statements, for the thread that writes. */
export function statementRunner(database: DatabaseSync) {
  return {
    run(sql: string, parameters: readonly SQLInputValue[]): StatementResult {
      const statement = database.prepare(sql);
      if (statement.columns().length > 0) {
        const rows = statement.all(...parameters);
        return { rows, changes: rows.length };
      }
      return { rows: [], changes: Number(statement.run(...parameters).changes) };
    },
  };
}
