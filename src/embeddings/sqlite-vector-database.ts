import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openDatabase, rowOf } from '../database/sqlite/database.ts';

/**
 * On SQLite's default pages of 4 KiB, a vector of 512 dimensions would take a whole page and leave half of it empty, and
 * two of 384 would leave a fifth.
 */
const pageBytes = 16_384;
/** The key, and SQLite's own data per row and in the indexes. */
const rowOverheadBytes = 90;
/**
 * The length of the prefix of a key in the index, which seldom matches two rows. A small index has fewer pages to
 * write.
 */
const indexedKeyBytes = 6;
/**
 * The pages in memory, and in the log before a checkpoint: enough for the index of a million vectors while thousands of
 * rows are deleted.
 */
const cachePages = 2_000;

/** SQL that finds a row by its key, through the index. */
export const hasKey = `substr(key, 1, ${indexedKeyBytes}) = substr(?1, 1, ${indexedKeyBytes}) AND key = ?1`;

/**
 * Opens the cache, and creates it if needed. It is a separate file because, unlike the ledger, it may lose its last
 * commits in a power failure, so they need not wait for the disk, and because backups omit it.
 */
export function createVectorDatabase(path: string): DatabaseSync {
  const database = openDatabase(path, { durable: false, pageBytes });
  // Before vectors were encrypted, they had this column.
  const column = `SELECT 1 FROM pragma_table_info('vectors') WHERE name = 'token_count'`;
  if (database.prepare(column).get()) {
    database.close();
    rmSync(path);
    return createVectorDatabase(path);
  }
  database.exec(`CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL,
    vector BLOB NOT NULL,
    created_at INTEGER NOT NULL
  )`);
  return database;
}

/**
 * Opens the cache for the writing thread, with indexes and a count of the bytes of all rows. Triggers count, so the
 * count is right whichever program writes.
 */
export function openVectorDatabase(path: string): DatabaseSync {
  const database = createVectorDatabase(path);
  database.exec(`PRAGMA cache_size = ${cachePages}; PRAGMA wal_autocheckpoint = ${cachePages}`);
  inTransaction(database, () => {
    if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'vector_bytes'`).get()) return;
    const { page_size } = rowOf<{ page_size: number }>(database.prepare('PRAGMA page_size'))!;
    database.exec(`
      CREATE INDEX vectors_by_key ON vectors (substr(key, 1, ${indexedKeyBytes}));
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

/** Returns SQL for a row's size in the file: its share of a page full of such rows, or all pages of a larger row. */
export function bytesOnDisk(vector: string, page: number): string {
  const row = `(LENGTH(${vector}) + ${rowOverheadBytes})`;
  return `(CASE WHEN ${row} <= ${page} THEN ${page} / (${page} / ${row}) ELSE (${row} / ${page} + 1) * ${page} END)`;
}
