import { readFileSync } from 'node:fs';
import { tables } from './tables.ts';

/** The channel that notifies of every change to organizations and keys. The payload is the organization's id. */
export const changesChannel = 'embedgate_changes';

const vectors = [
  `CREATE TABLE vectors (
    key BYTEA PRIMARY KEY,
    vector BYTEA NOT NULL,
    created_at BIGINT NOT NULL
  ) WITH (toast_tuple_target = 8160)`,
  // Floats don't compress, and a vector that fits into a page is read with its row.
  `ALTER TABLE vectors ALTER COLUMN vector SET STORAGE EXTERNAL`,
  `CREATE INDEX vectors_by_age ON vectors (created_at)`,
];

const countedRows = {
  INSERT: 'REFERENCING NEW TABLE AS added',
  UPDATE: 'REFERENCING OLD TABLE AS removed NEW TABLE AS added',
  DELETE: 'REFERENCING OLD TABLE AS removed',
  TRUNCATE: '',
};

/**
 * Counts the bytes of all vectors in 16 rows, more than there are connections that write vectors at a time, so that
 * writers seldom wait for each other. The trigger runs last in each statement, so a writer that holds one of these rows
 * needs no other lock.
 */
const vectorBytes = () => [
  `CREATE TABLE vector_bytes (slot INTEGER PRIMARY KEY, bytes BIGINT NOT NULL) WITH (fillfactor = 50)`,
  readFileSync(new URL('count-vector-bytes.sql', import.meta.url), 'utf8'),
  ...Object.entries(countedRows).map(
    ([event, rows]) =>
      `CREATE TRIGGER vectors_${event.toLowerCase()}_bytes AFTER ${event} ON vectors ${rows}
       FOR EACH STATEMENT EXECUTE FUNCTION count_vector_bytes()`,
  ),
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
  // What a flush counts changes no limit.
  `CREATE TRIGGER limits_changed AFTER INSERT OR UPDATE OF amount OR DELETE ON limits
   FOR EACH ROW EXECUTE FUNCTION tell_change()`,
];

/** Without its token, a revoked key can't become valid again, whatever its row is changed to. */
const revocation = [
  `CREATE FUNCTION destroy_token() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.token := '';
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER api_keys_revoked BEFORE UPDATE OF status ON api_keys
   FOR EACH ROW WHEN (NEW.status = 'revoked') EXECUTE FUNCTION destroy_token()`,
];

/**
 * Leaves room on each page for new versions of rows that are updated all the time, which then need no index entries.
 */
const roomForUpdates = [
  ...['quota_windows', 'limits', 'usage_by_day'].map((table) => `ALTER TABLE ${table} SET (fillfactor = 50)`),
  ...['usage_records', 'usage_monthly'].map((table) => `ALTER TABLE ${table} SET (fillfactor = 80)`),
];

/** The sets of functions that programs have created: see postgres/functions.ts. */
const functionSets = `CREATE TABLE function_sets (suffix TEXT PRIMARY KEY, used_at TIMESTAMPTZ NOT NULL)`;

export const postgresStatements = (): string[] => [
  ...tables({
    id: 'TEXT COLLATE "C"',
    bytes: 'BYTEA',
    serial: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    random: 'BIGINT NOT NULL DEFAULT (random() * 2147483647)::BIGINT',
    clustered: '',
  }),
  ...roomForUpdates,
  ...vectors,
  ...vectorBytes(),
  ...changes,
  ...revocation,
  functionSets,
];
