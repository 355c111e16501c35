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

export const postgresParts = (): string[] => [
  ...roomForUpdates,
  ...vectors,
  ...changes,
  readSql(import.meta.url, '0001-quota-window-start.sql'),
];
