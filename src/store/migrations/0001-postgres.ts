import { readSql } from './migration.ts';

/** The channel that notifies of every change to organizations and keys. The payload is the organization's id. */
export const changesChannel = 'embedgate_changes';

const vectors = [
  `CREATE TABLE vectors (
    key BYTEA PRIMARY KEY,
    vector BYTEA NOT NULL,
    token_count INTEGER NOT NULL,
    created_at BIGINT NOT NULL
  ) WITH (toast_tuple_target = 8160)`,
  // Floats don't compress, and a vector that fits into a page is read with its row.
  `ALTER TABLE vectors ALTER COLUMN vector SET STORAGE EXTERNAL`,
  `CREATE INDEX vectors_by_age ON vectors (created_at)`,
];

/** Every commit that changes keys or organizations notifies all replicas, once per organization. */
const changes = [
  `CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('${changesChannel}', NEW.org_id); END IF;
    IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('${changesChannel}', OLD.org_id); END IF;
    RETURN NULL;
  END $$`,
  ...['organizations', 'api_keys'].map(
    (table) =>
      `CREATE TRIGGER ${table}_changed AFTER INSERT OR UPDATE OR DELETE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION tell_change()`,
  ),
];

/**
 * Leaves room on each page for new versions of rows that are updated all the time, which then need no index entries.
 */
const roomForUpdates = [
  `ALTER TABLE quota_windows SET (fillfactor = 50)`,
  `ALTER TABLE usage_daily SET (fillfactor = 80)`,
];

/**
 * Creates the functions that flush the ledger. A call is one transaction and one round trip, and makes the same
 * decisions as src/quota/decide.ts. Migration 9 replaces both functions.
 *
 * Counts are exact because an organization's month row is the lock of all its windows: a flush holds it until the
 * commit. A VOLATILE function takes a new snapshot for each of its statements, so statements after the lock read what
 * its last holder has committed. Flushes can't deadlock because they all lock in order of the ids: first the month rows
 * that they have to insert, then the existing ones, then the usage rows.
 *
 * `flush_quota_of_one` does the same for one organization without give-backs, statement by statement: at light load,
 * flushes have one organization, for which the plan of `flush_quota` takes the server half as long again. Its first
 * statement handles the usual case, in which a single key asks, everything is granted, and the month has begun.
 * Otherwise that statement updates nothing. An UPDATE that had to wait for the lock checks its row again.
 */
const flushFunctions = () => [
  readSql(import.meta.url, '0001-quota-window-start.sql'),
  readSql(import.meta.url, '0001-flush-quota.sql'),
  readSql(import.meta.url, '0001-flush-quota-of-one.sql'),
];

export const postgresParts = (): string[] => [...roomForUpdates, ...vectors, ...changes, ...flushFunctions()];
