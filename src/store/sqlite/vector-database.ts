import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openDatabase } from './database.ts';

/** On SQLite's usual pages of 4 KiB, one vector of 512 dimensions has a page to itself and leaves half of it empty. */
const pageBytes = 16_384;
/** The key, and what SQLite keeps of each row and in its indexes. */
const rowOverheadBytes = 90;
/** Of a key, in the index: what its first bytes leave open is seldom more than one row. Pages of the index are written for each row, so it is small. */
const indexedKeyBytes = 6;
/** Of memory, and of the log before a checkpoint: enough for the index of a million vectors, while thousands of rows are deleted at a time. */
const cachePages = 2_000;

/** SQL that a row's key is found by: through the index, or through the larger one that a file of release 0.2 has. */
export const hasKey = `substr(key, 1, ${indexedKeyBytes}) = substr(?1, 1, ${indexedKeyBytes}) AND key = ?1`;

/**
 * The cache is a file of its own: losing its last moments with the power costs nothing, so its commits need not wait for
 * the disk as the ledger's do, and a backup can leave it out.
 */
export function createVectorDatabase(path: string): DatabaseSync {
  const database = openDatabase(path, { durable: false, pageBytes });
  database.exec(`CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL,
    vector BLOB NOT NULL,
    token_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  )`);
  return database;
}

/**
 * The same, with what the thread that writes needs: indexes, and the bytes that all rows take. Triggers count them, so that they are
 * right whichever program writes. A file of release 0.2 or older is read through once for that, and keeps its small pages.
 */
export function openVectorDatabase(path: string): DatabaseSync {
  const database = createVectorDatabase(path);
  database.exec(`PRAGMA cache_size = ${cachePages}; PRAGMA wal_autocheckpoint = ${cachePages}`);
  inTransaction(database, () => {
    if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'vector_bytes'`).get()) return;
    const { page_size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
    database.exec(`
      ${hasUniqueKeys(database) ? '' : `CREATE INDEX vectors_by_key ON vectors (substr(key, 1, ${indexedKeyBytes}));`}
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

/** Whether the file is of release 0.2 or older. */
function hasUniqueKeys(database: DatabaseSync): boolean {
  return (
    database.prepare(`SELECT 1 FROM pragma_index_list('vectors') WHERE origin = 'u'`).get() !== undefined
  );
}

/** SQL for what a row takes of the file: its share of a page that rows of its size fill, or the pages that it fills by itself. */
export function bytesOnDisk(vector: string, page: number): string {
  const row = `(LENGTH(${vector}) + ${rowOverheadBytes})`;
  return `(CASE WHEN ${row} <= ${page} THEN ${page} / (${page} / ${row}) ELSE (${row} / ${page} + 1) * ${page} END)`;
}
