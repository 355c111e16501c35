import type pg from 'pg';
import { ServiceError } from '../../errors.ts';
import { countRows, insertRows, inTransaction, requireEmpty } from '../postgres/rows.ts';
import { movedTables, type Row, type TableCounts } from './tables.ts';

/** The progress of a move, which the target stores in a table of its own. */
export interface MoveState {
  /** The id of the last moved vector in the source. */
  readonly lastVectorId: number;
  /** The rows of the target when the move finished. */
  readonly finished: TableCounts | null;
}

const createState = `CREATE TABLE IF NOT EXISTS move_state (
  source TEXT PRIMARY KEY,
  last_vector_id BIGINT NOT NULL DEFAULT 0,
  finished JSON
)`;

/** The target of a move: a Postgres, through a connection of its own. */
export class MoveTarget {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Begins or continues the move from `source`. Throws `invalid_request` if the database has anything else. */
  begin(source: string): Promise<MoveState> {
    return inTransaction(this.#client, async () => {
      await this.#client.query(createState);
      const { rows } = await this.#client.query('SELECT source, last_vector_id, finished FROM move_state');
      const [state] = rows;
      if (state && state.source !== source) {
        throw new ServiceError('invalid_request', 'The target was filled from another database');
      }
      if (state) return { lastVectorId: state.last_vector_id, finished: state.finished };
      await requireEmpty(this.#client, [...movedTables, 'vectors']);
      await this.#client.query('INSERT INTO move_state (source) VALUES ($1)', [source]);
      // Keeps a server that starts on the target meanwhile from creating a first organization.
      await this.#client.query('INSERT INTO installation (id, created_at) VALUES (1, 0)');
      return { lastVectorId: 0, finished: null };
    });
  }

  /** Inserts vectors and stores the progress, in one transaction. */
  addVectors(rows: readonly Row[], lastId: number): Promise<void> {
    return inTransaction(this.#client, async () => {
      await this.#insert(
        'vectors',
        rows.map(({ id: _id, ...row }) => row),
      );
      await this.#client.query('UPDATE move_state SET last_vector_id = $1', [lastId]);
    });
  }

  async countVectors(): Promise<number> {
    return (await countRows(this.#client, ['vectors'])).vectors ?? 0;
  }

  async dropVectors(): Promise<void> {
    await inTransaction(this.#client, () =>
      this.#client.query('TRUNCATE vectors; UPDATE move_state SET last_vector_id = 0'),
    );
  }

  /**
   * Inserts everything but the vectors, in one transaction. Until it commits, the target has no organization. Throws,
   * and rolls back, unless the tables have `expected` rows. Returns their numbers of rows.
   */
  finish(tables: Iterable<{ table: string; rows: Row[] }>, expected: TableCounts): Promise<TableCounts> {
    return inTransaction(this.#client, async () => {
      await this.#client.query('DELETE FROM installation');
      await requireEmpty(this.#client, movedTables);
      for (const { table, rows } of tables) await this.#insert(table, rows);
      const moved = (await countRows(this.#client, Object.keys(expected))) as TableCounts;
      for (const table of [...movedTables, 'vectors'] as const) {
        const [count, there] = [expected[table], moved[table]];
        if (there === count) continue;
        throw new Error(
          `${table} has ${count} rows in the source, ${there} in the target: stop what writes there, and run this again`,
        );
      }
      await this.#client.query('UPDATE move_state SET finished = $1', [JSON.stringify(moved)]);
      return moved;
    });
  }

  #insert(table: string, rows: readonly Row[]): Promise<void> {
    return insertRows(this.#client, table, JSON.stringify(rows.map(asJson)));
  }
}

/** Postgres reads a BYTEA from JSON as from any text: `\x` and hexadecimal digits. */
function asJson(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value,
    ]),
  );
}
