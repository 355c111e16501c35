import type { ColumnTypes } from '../database-kind.ts';

/** The request log, and the usage by hour. */
export const requests = ({ id, serial, random, clustered }: ColumnTypes): string[] => [
  // One row for each request that had texts to compute. It has no text, vector or address. The rows are in the order of
  // time, so that new ones fill whole pages, and old ones are found at the beginning. No list shows `id`, which counts the
  // requests of all organizations: `tie` sorts those of the same millisecond. For `lookup`, see `lookupNumbers`.
  `CREATE TABLE request_log (
    id ${serial},
    org_id ${id} NOT NULL,
    at BIGINT NOT NULL,
    tie ${random},
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
    param TEXT,
    lookup BIGINT NOT NULL
  )`,
  `CREATE INDEX request_log_by_time ON request_log (org_id, at, tie)`,
  `CREATE INDEX request_log_by_at ON request_log (at, tie)`,
  `CREATE INDEX request_log_by_key ON request_log (key_id, at, tie) WHERE key_id IS NOT NULL`,
  `CREATE INDEX request_log_by_request ON request_log (lookup)`,
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
    counted_texts BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    counted_tokens BIGINT NOT NULL,
    truncated BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (org_id, hour, key_id, model, outcome, error, latency_class)
  )${clustered}`,
  `CREATE INDEX usage_hours_by_hour ON usage_hours (hour)`,
];

/** The audit log. It has no foreign keys, because its entries outlive the organization, the user and the key. */
export const audit = ({ id }: ColumnTypes): string[] => [
  // `before` and `after` are JSON.
  `CREATE TABLE audit_entries (
    entry_id ${id} PRIMARY KEY,
    at BIGINT NOT NULL,
    org_id ${id},
    actor_kind TEXT NOT NULL,
    actor_id ${id},
    actor_name TEXT,
    by_operator BIGINT NOT NULL,
    action ${id} NOT NULL,
    target_id ${id},
    target_name TEXT,
    before TEXT,
    after TEXT,
    address TEXT,
    request_id ${id}
  )`,
  `CREATE INDEX audit_entries_by_organization ON audit_entries (org_id, at, entry_id)`,
  `CREATE INDEX audit_entries_by_actor ON audit_entries (org_id, actor_kind, actor_id)`,
  `CREATE INDEX audit_entries_by_time ON audit_entries (at, entry_id)`,
];

/** Files and batches. */
export const files = ({ id, bytes }: ColumnTypes): string[] => [
  // status: 'writing' until all pieces are there.
  `CREATE TABLE files (
    file_id ${id} PRIMARY KEY,
    org_id ${id} NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
    filename TEXT NOT NULL,
    purpose TEXT NOT NULL,
    content TEXT NOT NULL CHECK (content IN ('bytes', 'results')),
    status TEXT NOT NULL CHECK (status IN ('writing', 'ready')),
    bytes BIGINT NOT NULL,
    stored_bytes BIGINT NOT NULL,
    lines BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
  )`,
  `CREATE INDEX files_by_organization ON files (org_id, file_id)`,
  `CREATE INDEX files_by_expiry ON files (expires_at)`,
  // What a piece holds is stored under its id, elsewhere. org_id: of the file, which may be gone with its organization.
  // created_at: when it was planned; 0 once a file has had it.
  `CREATE TABLE file_pieces (
    piece_id ${id} PRIMARY KEY,
    org_id ${id} NOT NULL,
    file_id ${id} REFERENCES files (file_id) ON DELETE SET NULL,
    position BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    stored_bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`,
  `CREATE INDEX file_pieces_by_file ON file_pieces (file_id, position)`,
  `CREATE INDEX file_pieces_without_file ON file_pieces (org_id) WHERE file_id IS NULL`,
  // The pieces themselves, for installations on Postgres without FILES_URL.
  `CREATE TABLE piece_data (
    piece_id ${id} PRIMARY KEY,
    data ${bytes} NOT NULL
  )`,
  // runner, lease_until: the process at work. wait_until: when to go on. JSON: metadata, errors, times, quota.
  `CREATE TABLE batches (
    batch_id ${id} PRIMARY KEY,
    org_id ${id} NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
    key_id ${id} NOT NULL,
    endpoint TEXT NOT NULL,
    model TEXT,
    fingerprint TEXT,
    input_file_id ${id} NOT NULL,
    input_filename TEXT NOT NULL,
    output_file_id ${id},
    error_file_id ${id},
    output_expires_after_ms BIGINT NOT NULL,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL,
    errors TEXT NOT NULL,
    times TEXT NOT NULL,
    quota TEXT NOT NULL,
    total BIGINT NOT NULL,
    completed BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    cached BIGINT NOT NULL,
    texts BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    cached_tokens BIGINT NOT NULL,
    next_line BIGINT NOT NULL,
    next_byte BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at BIGINT,
    runner ${id},
    lease_until BIGINT NOT NULL,
    wait_until BIGINT NOT NULL,
    waits_for TEXT,
    served_at BIGINT NOT NULL
  )`,
  `CREATE INDEX batches_by_organization ON batches (org_id, batch_id)`,
  `CREATE INDEX batches_to_run ON batches (org_id, served_at) WHERE ended_at IS NULL`,
  `CREATE INDEX batches_by_end ON batches (ended_at) WHERE ended_at IS NOT NULL`,
];
