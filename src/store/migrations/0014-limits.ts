import { type ColumnTypes, columnTypes, type Dialect, type Migration, readSql } from './migration.ts';

const limits = ({ id }: ColumnTypes): string[] => [
  // window_start and used count the current window.
  `CREATE TABLE limits (
    limit_id ${id} PRIMARY KEY,
    org_id ${id} NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
    key_id ${id},
    unit ${id} NOT NULL CHECK (unit IN ('requests', 'texts', 'tokens')),
    window_kind ${id} NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    created_at BIGINT NOT NULL,
    window_start BIGINT NOT NULL,
    used BIGINT NOT NULL
  )`,
  // Also finds the limits of an organization and of a key.
  `CREATE UNIQUE INDEX limits_by_scope ON limits (org_id, COALESCE(key_id, ''), unit, window_kind)`,
  `CREATE INDEX limits_by_key ON limits (org_id, key_id)`,
];

/** The first key of each chain of rotations, under which all its keys share their limits. */
const chains = ({ id }: ColumnTypes): string[] => [
  `ALTER TABLE api_keys ADD COLUMN first_key_id ${id}`,
  `CREATE INDEX api_keys_by_first ON api_keys (first_key_id) WHERE first_key_id IS NOT NULL`,
  // Not UNION ALL: rows changed by hand could form a circle.
  `WITH RECURSIVE chain (key_id, first_key_id) AS (
    SELECT key_id, key_id FROM api_keys WHERE rotated_from IS NULL
    UNION
    SELECT k.key_id, chain.first_key_id FROM api_keys k JOIN chain ON k.rotated_from = chain.key_id
  )
  UPDATE api_keys SET first_key_id = (SELECT chain.first_key_id FROM chain WHERE chain.key_id = api_keys.key_id)
  WHERE rotated_from IS NOT NULL`,
];

const figures = 'counted, cached, failed, texts, tokens';
const figureColumns = (end: string) =>
  figures
    .split(', ')
    .map((name) => `${name} BIGINT NOT NULL${end}`)
    .join(', ');

/**
 * Adds the model to the primary keys, for which SQLite needs new tables. The daily records get a new name, because
 * replicas of older releases name the old primary key when they write to `usage_daily`.
 */
const models: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [
    `CREATE TABLE usage_records (
      org_id TEXT NOT NULL, key_id TEXT NOT NULL, day BIGINT NOT NULL,
      ${figureColumns(' DEFAULT 0')}, model TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (org_id, day, key_id, model)
    )`,
    `INSERT INTO usage_records (org_id, key_id, day, ${figures}) SELECT org_id, key_id, day, ${figures} FROM usage_daily`,
    `DROP TABLE usage_daily`,
    `CREATE TABLE usage_monthly_by_model (
      org_id TEXT NOT NULL, first_day BIGINT NOT NULL, key_id TEXT NOT NULL,
      ${figureColumns('')}, model TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (org_id, first_day, key_id, model)
    )`,
    `INSERT INTO usage_monthly_by_model (org_id, first_day, key_id, ${figures})
     SELECT org_id, first_day, key_id, ${figures} FROM usage_monthly`,
    `DROP TABLE usage_monthly`,
    `ALTER TABLE usage_monthly_by_model RENAME TO usage_monthly`,
  ],
  postgres: [
    `ALTER TABLE usage_daily RENAME TO usage_records`,
    `ALTER TABLE usage_records RENAME CONSTRAINT usage_daily_pkey TO usage_records_pkey`,
    ...[
      ['usage_records', 'org_id, day, key_id, model'],
      ['usage_monthly', 'org_id, first_day, key_id, model'],
    ].flatMap(([table, key]) => [
      `ALTER TABLE ${table} ADD COLUMN model TEXT COLLATE "C" NOT NULL DEFAULT ''`,
      `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`,
      `ALTER TABLE ${table} ADD PRIMARY KEY (${key})`,
    ]),
    // Older replicas read and write this table. It has no rows of its own: a trigger adds what is written to usage_records,
    // and a query of it reads that table, which inherits from it.
    `CREATE TABLE usage_daily (
      org_id TEXT COLLATE "C" NOT NULL, key_id TEXT COLLATE "C" NOT NULL, day BIGINT NOT NULL,
      ${figureColumns(' DEFAULT 0')},
      PRIMARY KEY (org_id, day, key_id)
    )`,
    `ALTER TABLE usage_records INHERIT usage_daily`,
    readSql(import.meta.url, '0014-usage-of-older-replicas.sql'),
    `CREATE TRIGGER usage_daily_of_older_replicas BEFORE INSERT ON usage_daily
     FOR EACH ROW EXECUTE FUNCTION usage_of_older_replicas()`,
  ],
};

const functions = () => [
  'DROP FUNCTION add_usage',
  readSql(import.meta.url, '0014-quota-window-end.sql'),
  readSql(import.meta.url, '0014-add-usage.sql'),
  // What a flush counts changes no limit.
  `CREATE TRIGGER limits_changed AFTER INSERT OR UPDATE OF amount OR DELETE ON limits
   FOR EACH ROW EXECUTE FUNCTION tell_change()`,
];

/** Adds limits beside the quota of the tier, and the model to records of usage. */
export const limitsAndModels: Migration = {
  version: 14,
  statements: (dialect) => [
    ...limits(columnTypes[dialect]),
    ...chains(columnTypes[dialect]),
    ...models[dialect],
    // Leaves room in each page for the next version of a row, which each flush writes.
    ...(dialect === 'postgres' ? ['ALTER TABLE limits SET (fillfactor = 50)', ...functions()] : []),
  ],
};
