import { columnTypes, type Migration, readSql } from './migration.ts';

/**
 * Creates the function that adds a batch of usage records, unless it was added before, in one statement: a flush of the
 * ledger waits for these rows, so they must not stay locked over a round trip. Each statement of a VOLATILE function
 * sees what was committed before it. So the statements after the lock on the organizations know which of them were
 * deleted. Rows are locked in the same order as by a deletion and by a flush.
 */
const addUsage = () => readSql(import.meta.url, '0008-add-usage.sql');

/**
 * Records the last batch that each process has written. A batch that is sent again because its outcome was lost counts
 * once.
 */
export const usageBatches: Migration = {
  version: 8,
  statements: (dialect) => {
    const { id } = columnTypes[dialect];
    return [
      `CREATE TABLE usage_writers (
        writer_id ${id} PRIMARY KEY,
        last_batch BIGINT NOT NULL,
        written_at BIGINT NOT NULL
      )`,
      `CREATE INDEX usage_writers_by_time ON usage_writers (written_at)`,
      ...(dialect === 'postgres' ? [addUsage()] : []),
    ];
  },
};
