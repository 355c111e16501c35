import type { ColumnTypes, Step } from '../dialect.ts';

/** `clustered`: what follows the columns of a table whose rows are stored in the order of its primary key. */
const tables = (id: ColumnTypes['id'], clustered: string): string[] => [
  // One row for each request that had texts to compute. It has no text, vector or address.
  `CREATE TABLE request_log (
    org_id ${id} NOT NULL,
    at BIGINT NOT NULL,
    entry_id ${id} NOT NULL,
    request_id ${id} NOT NULL,
    key_id ${id},
    user_id ${id},
    model ${id} NOT NULL,
    status INTEGER NOT NULL,
    error ${id} NOT NULL,
    outcome ${id} NOT NULL,
    texts BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    latency_ms DOUBLE PRECISION NOT NULL,
    queue_ms DOUBLE PRECISION NOT NULL,
    limit_id ${id},
    PRIMARY KEY (org_id, at, entry_id)
  )${clustered}`,
  `CREATE INDEX request_log_by_key ON request_log (org_id, key_id, at, entry_id)`,
  `CREATE INDEX request_log_by_request ON request_log (org_id, request_id)`,
  // Requests by hour, outcome and class of latency, from which the percentiles of any period follow.
  `CREATE TABLE usage_hours (
    org_id ${id} NOT NULL,
    hour BIGINT NOT NULL,
    key_id ${id} NOT NULL,
    model ${id} NOT NULL,
    outcome ${id} NOT NULL,
    error ${id} NOT NULL,
    latency_class INTEGER NOT NULL,
    requests BIGINT NOT NULL,
    texts BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    PRIMARY KEY (org_id, hour, key_id, model, outcome, error, latency_class)
  )${clustered}`,
];

export const step: Step = {
  sqlite: () => tables('TEXT', ' WITHOUT ROWID'),
  postgres: () => tables('TEXT COLLATE "C"', ''),
};
