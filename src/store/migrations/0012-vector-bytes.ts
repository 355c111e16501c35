import { type Migration, readSql } from './migration.ts';

/**
 * Creates the function that counts the bytes of vectors in 16 rows, more than there are connections that write vectors
 * at a time, so that writers seldom wait for each other. It runs last in each statement, so a writer that holds one of
 * these rows needs no other lock.
 */
const count = () => readSql(import.meta.url, '0012-count-vector-bytes.sql');

const rowsOf = {
  INSERT: 'REFERENCING NEW TABLE AS added',
  UPDATE: 'REFERENCING OLD TABLE AS removed NEW TABLE AS added',
  DELETE: 'REFERENCING OLD TABLE AS removed',
  TRUNCATE: '',
};

/**
 * Counts the bytes of all vectors on Postgres; SQLite counts them in the cache's own file. The row of slot -1 has the
 * bytes of the vectors that existed before. The first process that prunes adds it, because this step would lock a large
 * table for too long.
 */
export const vectorBytes: Migration = {
  version: 12,
  statements: (dialect) =>
    dialect === 'sqlite'
      ? []
      : [
          `CREATE TABLE vector_bytes (slot INTEGER PRIMARY KEY, bytes BIGINT NOT NULL) WITH (fillfactor = 50)`,
          count(),
          ...Object.entries(rowsOf).map(
            ([event, rows]) =>
              `CREATE TRIGGER vectors_${event.toLowerCase()}_bytes AFTER ${event} ON vectors ${rows}
               FOR EACH STATEMENT EXECUTE FUNCTION count_vector_bytes()`,
          ),
          `INSERT INTO vector_bytes (slot, bytes) SELECT -1, 0 WHERE NOT EXISTS (SELECT FROM vectors)`,
        ],
};
