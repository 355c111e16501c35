import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, rowOf, rowsOf } from '../database/sqlite/database.ts';
import { bytesOnDisk, hasKey } from './sqlite-vector-database.ts';
import type { CacheBounds, SealedEntry } from './vector-cache.ts';

/**
 * Maximum number of rows that a step deletes. Each row changes a page of the index by key, and each changed page is
 * written once per step. Smaller steps would write the same pages again and again, and the ledger's commits would wait
 * for the disk. New vectors wait for a step, for a fraction of a second.
 */
const maxRowsPerPrune = 5_000;

type Oldest = { id: number; created_at: number; bytes: number };

function statementsOf(database: DatabaseSync) {
  const { page_size } = rowOf<{ page_size: number }>(database.prepare('PRAGMA page_size'))!;
  return {
    remove: database.prepare(`DELETE FROM vectors WHERE ${hasKey}`),
    put: database.prepare('INSERT INTO vectors (key, vector, created_at) VALUES (?, ?, ?)'),
    pruneAge: database.prepare(
      `DELETE FROM vectors WHERE id IN (
         SELECT id FROM vectors WHERE created_at < ? ORDER BY created_at LIMIT ${maxRowsPerPrune})`,
    ),
    bytes: database.prepare('SELECT bytes FROM vector_bytes'),
    oldest: database.prepare(
      `SELECT id, created_at, ${bytesOnDisk('vector', page_size)} AS bytes FROM vectors
       ORDER BY created_at, id LIMIT ${maxRowsPerPrune}`,
    ),
    pruneUpTo: database.prepare('DELETE FROM vectors WHERE (created_at, id) <= (?, ?)'),
  };
}

/** Writes vectors, on the cache's thread. */
export class SqliteVectors {
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = statementsOf(database);
  }

  put(entries: readonly SealedEntry[], nowMs: number): void {
    inTransaction(this.#database, () => {
      for (const { key, sealed } of entries) {
        const bytes = keyBytes(key);
        this.#statements.remove.run(bytes);
        this.#statements.put.run(bytes, sealed, nowMs);
      }
    });
  }

  /** Deletes the next rows that exceed the bounds. Returns whether there are more. */
  pruneSome(bounds: CacheBounds): boolean {
    const isMore = this.#pruneSome(bounds);
    if (!isMore) this.#database.exec('PRAGMA shrink_memory');
    return isMore;
  }

  #pruneSome({ createdBeforeMs, maxBytes }: CacheBounds): boolean {
    return inTransaction(this.#database, () => {
      if (this.#statements.pruneAge.run(createdBeforeMs).changes === maxRowsPerPrune) return true;
      let surplus = Number(this.#statements.bytes.get()?.bytes) - maxBytes;
      if (surplus <= 0) return false;
      let last: Oldest | undefined;
      for (const row of rowsOf<Oldest>(this.#statements.oldest)) {
        if (surplus <= 0) break;
        surplus -= row.bytes;
        last = row;
      }
      if (!last) return false;
      this.#statements.pruneUpTo.run(last.created_at, last.id);
      return surplus > 0;
    });
  }
}

/** Reads vectors on a connection of the main thread. */
export function vectorReader(reader: DatabaseSync): (keys: readonly string[]) => (Uint8Array | undefined)[] {
  const statement = reader.prepare(`SELECT vector FROM vectors WHERE ${hasKey}`);
  return (keys) => keys.map((key) => rowOf<{ vector: Uint8Array }>(statement, keyBytes(key))?.vector);
}

function keyBytes(key: string): Uint8Array {
  return Buffer.from(key, 'latin1');
}
