import { postgresParts } from './0001-postgres.ts';
import { type ColumnTypes, columnTypes, type Migration } from './migration.ts';

const tables = ({ id, bytes }: ColumnTypes): string[] => [
  // Has one row, which the process that creates the first organization inserts: of two that start together, only one
  // can.
  `CREATE TABLE installation (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    created_at BIGINT NOT NULL
  )`,
  `CREATE TABLE organizations (
    org_id ${id} PRIMARY KEY,
    name TEXT NOT NULL,
    tier TEXT NOT NULL,
    limit_requests BIGINT,
    limit_window TEXT,
    created_at BIGINT NOT NULL,
    revision BIGINT NOT NULL
  )`,
  `CREATE TABLE api_keys (
    key_id ${id} PRIMARY KEY,
    org_id ${id} NOT NULL REFERENCES organizations (org_id),
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    token ${bytes} NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
  )`,
  `CREATE INDEX api_keys_by_organization ON api_keys (org_id, created_at)`,
  `CREATE TABLE key_activity (
    key_id ${id} PRIMARY KEY,
    last_used_at BIGINT NOT NULL
  )`,
  `CREATE TABLE quota_windows (
    org_id ${id} NOT NULL,
    window_kind ${id} NOT NULL,
    window_start BIGINT NOT NULL,
    used BIGINT NOT NULL CHECK (used >= 0),
    PRIMARY KEY (org_id, window_kind)
  )`,
  `CREATE TABLE usage_daily (
    org_id ${id} NOT NULL,
    key_id ${id} NOT NULL,
    day BIGINT NOT NULL,
    counted BIGINT NOT NULL DEFAULT 0,
    cached BIGINT NOT NULL DEFAULT 0,
    failed BIGINT NOT NULL DEFAULT 0,
    texts BIGINT NOT NULL DEFAULT 0,
    tokens BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (org_id, day, key_id)
  )`,
];

/**
 * Triggers increment a counter, so that every server notices changes of keys and organizations by this program, by
 * another process, or by a person with a database shell.
 */
const sqliteChanges = (): string[] => [
  `CREATE TABLE changes (counter INTEGER NOT NULL)`,
  `INSERT INTO changes VALUES (0)`,
  ...['organizations', 'api_keys'].flatMap((table) =>
    ['INSERT', 'UPDATE', 'DELETE'].map(
      (event) =>
        `CREATE TRIGGER ${table}_${event.toLowerCase()}_changes AFTER ${event} ON ${table}
         BEGIN UPDATE changes SET counter = counter + 1; END`,
    ),
  ),
];

export const initial: Migration = {
  version: 1,
  statements: (dialect) => [
    ...tables(columnTypes[dialect]),
    ...(dialect === 'sqlite' ? sqliteChanges() : postgresParts()),
  ],
};
