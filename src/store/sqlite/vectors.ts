import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CachedVector, VectorEntry } from '../../embeddings/vector-cache.ts';
import { inTransaction, openDatabase } from './database.ts';

/** Rows a pruning transaction deletes at most, so that it never holds up a ledger flush for long. */
const maxRowsPerPrune = 2_000;

/**
 * The cache is a file of its own: losing its last moments with the power costs nothing, so its commits need not wait for
 * the disk as the ledger's do, and a backup can leave it out.
 */
export function openVectorDatabase(path: string): DatabaseSync {
  const database = openDatabase(path, { durable: false });
  database.exec(`CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    vector BLOB NOT NULL,
    token_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  )`);
  return database;
}

/** The writing side, for the thread that writes. */
export class SqliteVectors {
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #pruneAge: StatementSync;
  readonly #pruneOldest: StatementSync;
  readonly #size: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    // A key written again becomes the newest: rows are in order of age by their id.
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO vectors (key, vector, token_count, created_at) VALUES (?, ?, ?, ?)',
    );
    this.#pruneAge = database.prepare(
      `DELETE FROM vectors WHERE id IN (
         SELECT id FROM vectors WHERE created_at < ? ORDER BY id LIMIT ${maxRowsPerPrune})`,
    );
    this.#pruneOldest = database.prepare(
      'DELETE FROM vectors WHERE id IN (SELECT id FROM vectors ORDER BY id LIMIT ?)',
    );
    // All vectors of a model are of one size; scanning for the exact sum would read the whole file.
    this.#size = database.prepare(
      `SELECT COUNT(*) AS count,
         (SELECT LENGTH(vector) FROM vectors ORDER BY id DESC LIMIT 1) AS vector_bytes FROM vectors`,
    );
  }

  put(entries: readonly VectorEntry[], nowMs: number): void {
    inTransaction(this.#database, () => {
      for (const { key, value } of entries) {
        const { buffer, byteOffset, byteLength } = value.vector;
        this.#put.run(keyBytes(key), new Uint8Array(buffer, byteOffset, byteLength), value.tokenCount, nowMs);
      }
    });
  }

  prune(bounds: { createdBeforeMs: number; maxBytes: number }): void {
    while (this.#pruneAge.run(bounds.createdBeforeMs).changes === maxRowsPerPrune);
    const { count, vector_bytes } = this.#size.get() as { count: number; vector_bytes: number | null };
    if (vector_bytes === null) return;
    const maxCount = Math.floor(bounds.maxBytes / vector_bytes);
    for (let surplus = count - maxCount; surplus > 0; surplus -= maxRowsPerPrune) {
      this.#pruneOldest.run(Math.min(surplus, maxRowsPerPrune));
    }
  }
}

/** Reads vectors on a connection of the main thread. */
export function vectorReader(
  reader: DatabaseSync,
): (keys: readonly string[]) => (CachedVector | undefined)[] {
  const statement = reader.prepare('SELECT vector, token_count FROM vectors WHERE key = ?');
  return (keys) =>
    keys.map((key) => {
      const row = statement.get(keyBytes(key)) as { vector: Uint8Array; token_count: number } | undefined;
      return row && { vector: new Float32Array(row.vector.slice().buffer), tokenCount: row.token_count };
    });
}

function keyBytes(key: string): Uint8Array {
  return Buffer.from(key, 'latin1');
}
