import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openDatabase } from './database.ts';

/** On SQLite's usual pages of 4 KiB, one vector of 512 dimensions has a page to itself and leaves half of it empty. */
const pageBytes = 16_384;
/** The key, in the row and in its index, and what SQLite keeps of each row. */
const rowOverheadBytes = 100;

/**
 * The cache is a file of its own: losing its last moments with the power costs nothing, so its commits need not wait for
 * the disk as the ledger's do, and a backup can leave it out.
 */
export function createVectorDatabase(path: string): DatabaseSync {
  const database = openDatabase(path, { durable: false, pageBytes });
  database.exec(`CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    vector BLOB NOT NULL,
    token_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  )`);
  return database;
}

/**
 * The same, with what the thread that writes needs: an index by age, and the bytes that all rows take. Triggers count them, so that they are
 * right whichever program writes. A file of release 0.2 or older is read through once for that, and keeps its small pages.
 */
export function openVectorDatabase(path: string): DatabaseSync {
  const database = createVectorDatabase(path);
  // So that a row which is replaced counts as deleted.
  database.exec('PRAGMA recursive_triggers = ON');
  inTransaction(database, () => {
    if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'vector_bytes'`).get()) return;
    const { page_size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
    database.exec(`
      CREATE INDEX vectors_by_age ON vectors (created_at);
      CREATE TABLE vector_bytes (bytes INTEGER NOT NULL);
      INSERT INTO vector_bytes SELECT COALESCE(SUM(${bytesOnDisk('vector', page_size)}), 0) FROM vectors;
      CREATE TRIGGER vectors_added AFTER INSERT ON vectors
      BEGIN UPDATE vector_bytes SET bytes = bytes + ${bytesOnDisk('NEW.vector', page_size)}; END;
      CREATE TRIGGER vectors_removed AFTER DELETE ON vectors
      BEGIN UPDATE vector_bytes SET bytes = bytes - ${bytesOnDisk('OLD.vector', page_size)}; END;
    `);
  });
  return database;
}

/** SQL for what a row takes of the file: its share of a page that rows of its size fill, or the pages that it fills by itself. */
export function bytesOnDisk(vector: string, page: number): string {
  const row = `(LENGTH(${vector}) + ${rowOverheadBytes})`;
  return `(CASE WHEN ${row} <= ${page} THEN ${page} / (${page} / ${row}) ELSE (${row} / ${page} + 1) * ${page} END)`;
}
