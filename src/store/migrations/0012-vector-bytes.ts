import type { Migration } from './migration.ts';

/** More than the connections that write vectors at a time, so that one seldom waits for another. */
const slots = 16;

/**
 * How many bytes the vectors have is a sum of rows, so that writers don't all wait for the same one. It is raised last in each statement: a
 * writer that holds a row of it needs no other lock.
 */
const count = `CREATE FUNCTION count_vector_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    more BIGINT := 0;
  BEGIN
    IF TG_OP = 'TRUNCATE' THEN
      UPDATE vector_bytes SET bytes = 0;
      RETURN NULL;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      more := COALESCE((SELECT sum(octet_length(vector)) FROM added), 0);
    END IF;
    IF TG_OP <> 'INSERT' THEN
      more := more - COALESCE((SELECT sum(octet_length(vector)) FROM removed), 0);
    END IF;
    IF more <> 0 THEN
      INSERT INTO vector_bytes AS b (slot, bytes) VALUES (pg_backend_pid() % ${slots}, more)
      ON CONFLICT (slot) DO UPDATE SET bytes = b.bytes + excluded.bytes;
    END IF;
    RETURN NULL;
  END $$`;

const rowsOf = {
  INSERT: 'REFERENCING NEW TABLE AS added',
  UPDATE: 'REFERENCING OLD TABLE AS removed NEW TABLE AS added',
  DELETE: 'REFERENCING OLD TABLE AS removed',
  TRUNCATE: '',
};

/**
 * Keeps the sum of the bytes of all vectors, on Postgres; SQLite has it in the cache's own file. The row of slot -1 holds what the vectors had before
 * they were counted. It is added by the first that prunes, since reading a large table would lock it for too long here.
 */
export const vectorBytes: Migration = {
  version: 12,
  statements: (dialect) =>
    dialect === 'sqlite'
      ? []
      : [
          `CREATE TABLE vector_bytes (slot INTEGER PRIMARY KEY, bytes BIGINT NOT NULL) WITH (fillfactor = 50)`,
          count,
          ...Object.entries(rowsOf).map(
            ([event, rows]) =>
              `CREATE TRIGGER vectors_${event.toLowerCase()}_bytes AFTER ${event} ON vectors ${rows}
               FOR EACH STATEMENT EXECUTE FUNCTION count_vector_bytes()`,
          ),
          `INSERT INTO vector_bytes (slot, bytes) SELECT -1, 0 WHERE NOT EXISTS (SELECT FROM vectors)`,
        ],
};
