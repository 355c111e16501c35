import type { ColumnTypes } from '../database-kind.ts';
import { audit, files, requests } from './request-and-file-tables.ts';

/** The counters of a usage record: see `usageFigures`. */
export const figureColumns = [
  ...['counted', 'cached', 'failed', 'texts', 'counted_texts'],
  ...['tokens', 'counted_tokens', 'truncated', 'cost'],
];
const figures = figureColumns.map((name) => `${name} BIGINT NOT NULL DEFAULT 0`).join(', ');

const core = ({ id, bytes }: ColumnTypes): string[] => [
  // Has one row, which the process that creates the first organization inserts: of two that start together, only one
  // can.
  `CREATE TABLE installation (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    -- Null: no first start has made an organization.
    created_at BIGINT,
    -- The organization of a first start whose credentials have not been shown yet.
    pending_org_id ${id},
    auth_fingerprint TEXT,
    -- JSON.
    model_fingerprints TEXT,
    -- Counts the changes of the installation's keys.
    revision BIGINT NOT NULL DEFAULT 1
  )`,
  `INSERT INTO installation (id) VALUES (1)`,
  `CREATE TABLE organizations (
    org_id ${id} PRIMARY KEY,
    name ${id} NOT NULL,
    tier TEXT NOT NULL,
    limit_requests BIGINT,
    limit_window TEXT,
    -- A digest of the limits of the tier that it has. Empty: none.
    tier_limits ${id} NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    -- Its cached vectors can be found and decrypted only with this.
    cache_secret TEXT NOT NULL,
    -- The operator's own name of it.
    external_id TEXT UNIQUE,
    -- The operator's sentence. Null: its keys work.
    suspended TEXT
  )`,
  `CREATE TABLE api_keys (
    key_id ${id} PRIMARY KEY,
    -- Null: a key of the installation.
    org_id ${id} REFERENCES organizations (org_id),
    -- Null: a program made it, for nobody.
    user_id TEXT,
    external_id TEXT,
    name ${id} NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    token ${bytes} NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    rotated_from ${id},
    is_self_made INTEGER NOT NULL DEFAULT 0,
    lifetime_ms BIGINT,
    -- The first key of its chain of rotations, under which all its keys share their limits.
    first_key_id ${id},
    -- The name or alias of the model for requests that name none. Null: that of the service.
    default_model TEXT,
    -- Separated by spaces.
    scopes TEXT NOT NULL DEFAULT '',
    -- The names of the models that it may use, one a line. Null: all.
    models TEXT,
    -- From where its requests may come, separated by spaces. Null: from everywhere.
    networks TEXT,
    enabled INTEGER NOT NULL DEFAULT 1
  )`,
  `CREATE UNIQUE INDEX api_keys_by_external_id ON api_keys (org_id, external_id)
    WHERE external_id IS NOT NULL AND status = 'active'`,
  `CREATE INDEX api_keys_by_predecessor ON api_keys (rotated_from) WHERE rotated_from IS NOT NULL`,
  `CREATE INDEX api_keys_by_first ON api_keys (first_key_id) WHERE first_key_id IS NOT NULL`,
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
  // window_start and used count the current window.
  `CREATE TABLE limits (
    limit_id ${id} PRIMARY KEY,
    org_id ${id} NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
    key_id ${id},
    user_id ${id},
    applies_to ${id} NOT NULL DEFAULT 'requests' CHECK (applies_to IN ('requests', 'new_keys')),
    unit ${id} NOT NULL CHECK (unit IN ('requests', 'texts', 'tokens', 'cost', 'requests_at_once')),
    window_kind ${id} NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    -- How long a request waits for room before it is refused. Null: it doesn't wait.
    max_wait_ms BIGINT,
    set_by ${id} NOT NULL CHECK (set_by IN ('tier', 'operator', 'organization')),
    created_at BIGINT NOT NULL,
    window_start BIGINT NOT NULL,
    used BIGINT NOT NULL
  )`,
  // Also finds the limits of a scope.
  `CREATE UNIQUE INDEX limits_by_scope
    ON limits (org_id, COALESCE(key_id, 'user ' || user_id, NULLIF(applies_to, 'requests'), ''), unit, window_kind, set_by)`,
  // Organizations that may still have rows in the usage tables, which no foreign keys cover. They are deleted in steps.
  `CREATE TABLE deleted_organizations (
    org_id ${id} PRIMARY KEY,
    deleted_at BIGINT NOT NULL
  )`,
  // The vectors of known texts when each upstream's model was first used, so that a changed model is noticed.
  `CREATE TABLE upstream_vectors (
    fingerprint ${id} PRIMARY KEY,
    vectors ${bytes} NOT NULL
  )`,
];

/**
 * Each record is added to its month and to its day too, so that a report on a year need not read the rows of each
 * day.
 */
const usage = ({ id }: ColumnTypes): string[] => [
  `CREATE TABLE usage_records (
    org_id ${id} NOT NULL,
    key_id ${id} NOT NULL,
    day BIGINT NOT NULL,
    model ${id} NOT NULL DEFAULT '',
    ${figures},
    PRIMARY KEY (org_id, day, key_id, model)
  )`,
  `CREATE TABLE usage_monthly (
    org_id ${id} NOT NULL,
    first_day BIGINT NOT NULL,
    key_id ${id} NOT NULL,
    model ${id} NOT NULL DEFAULT '',
    ${figures},
    PRIMARY KEY (org_id, first_day, key_id, model)
  )`,
  `CREATE TABLE usage_by_day (
    org_id ${id} NOT NULL,
    day BIGINT NOT NULL,
    ${figures},
    PRIMARY KEY (org_id, day)
  )`,
  // The last batch that each process has written: one that is sent again because its outcome was lost counts once.
  `CREATE TABLE usage_writers (
    writer_id ${id} PRIMARY KEY,
    last_batch BIGINT NOT NULL,
    written_at BIGINT NOT NULL
  )`,
  `CREATE INDEX usage_writers_by_time ON usage_writers (written_at)`,
];

/**
 * The tables of better-auth. In both databases, times are ISO 8601 text and booleans are 0 and 1, so that rows can be
 * moved unchanged.
 */
const signIn = ({ id }: ColumnTypes): string[] => [
  `CREATE TABLE users (
    id ${id} PRIMARY KEY,
    name ${id} NOT NULL,
    email ${id} NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL,
    image TEXT,
    is_admin INTEGER NOT NULL DEFAULT 0,
    two_factor_enabled INTEGER,
    is_disabled INTEGER NOT NULL DEFAULT 0,
    created_at ${id} NOT NULL,
    updated_at ${id} NOT NULL
  )`,
  `CREATE TABLE sessions (
    id ${id} PRIMARY KEY,
    user_id ${id} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token TEXT NOT NULL UNIQUE,
    expires_at ${id} NOT NULL,
    ip_address TEXT,
    user_agent TEXT,
    created_at ${id} NOT NULL,
    updated_at ${id} NOT NULL
  )`,
  `CREATE TABLE credentials (
    id ${id} PRIMARY KEY,
    user_id ${id} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    password TEXT,
    access_token TEXT,
    refresh_token TEXT,
    id_token TEXT,
    access_token_expires_at ${id},
    refresh_token_expires_at ${id},
    scope TEXT,
    created_at ${id} NOT NULL,
    updated_at ${id} NOT NULL,
    UNIQUE (provider_id, account_id)
  )`,
  `CREATE INDEX credentials_by_user ON credentials (user_id)`,
  `CREATE TABLE verifications (
    id ${id} PRIMARY KEY,
    identifier TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at ${id} NOT NULL,
    created_at ${id} NOT NULL,
    updated_at ${id} NOT NULL
  )`,
  `CREATE INDEX verifications_by_identifier ON verifications (identifier)`,
  `CREATE TABLE two_factors (
    id ${id} PRIMARY KEY,
    user_id ${id} NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    backup_codes TEXT NOT NULL,
    verified INTEGER,
    failed_verification_count INTEGER,
    locked_until ${id}
  )`,
  // The number of attempts since window_start, which limits guesses at passwords across all replicas.
  `CREATE TABLE attempts (
    subject ${id} PRIMARY KEY,
    window_start BIGINT NOT NULL,
    count BIGINT NOT NULL
  )`,
];

const people = ({ id }: ColumnTypes): string[] => [
  `CREATE TABLE members (
    org_id ${id} NOT NULL REFERENCES organizations (org_id),
    user_id ${id} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    created_at BIGINT NOT NULL,
    -- 1: a provider's claim has made the row, and no person has changed it since.
    from_provider INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (org_id, user_id)
  )`,
  // Has a digest of the link's token. A row is deleted when the invitation is accepted or withdrawn.
  `CREATE TABLE invitations (
    invitation_id ${id} PRIMARY KEY,
    org_id ${id} NOT NULL REFERENCES organizations (org_id),
    email TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    digest TEXT NOT NULL UNIQUE,
    mailed INTEGER NOT NULL,
    invited_by ${id} NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    UNIQUE (org_id, email)
  )`,
  `CREATE INDEX invitations_by_email ON invitations (email)`,
];

/** Rows are deleted with their organization by cascade, because an alert may be raised during the deletion. */
const alerts = ({ id }: ColumnTypes): string[] => [
  // An organization without a row has the defaults.
  `CREATE TABLE alert_settings (
    org_id ${id} PRIMARY KEY REFERENCES organizations (org_id) ON DELETE CASCADE,
    thresholds TEXT NOT NULL,
    limit_thresholds TEXT NOT NULL,
    key_expiry INTEGER NOT NULL,
    projection INTEGER NOT NULL
  )`,
  // The unique constraint makes sure that each alert is raised once, however many replicas notice.
  `CREATE TABLE alerts (
    alert_id ${id} PRIMARY KEY,
    org_id ${id} NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('threshold', 'projection', 'key_expiry')),
    fact ${id} NOT NULL,
    threshold BIGINT NOT NULL,
    limit_id ${id},
    key_id ${id},
    user_id ${id},
    name TEXT,
    "window" ${id},
    window_start_ms BIGINT,
    "limit" BIGINT,
    used BIGINT,
    exhausts_at_ms BIGINT,
    expires_at_ms BIGINT,
    raised_at_ms BIGINT NOT NULL,
    acknowledged_at_ms BIGINT,
    acknowledged_by TEXT,
    UNIQUE (org_id, fact, kind, threshold)
  )`,
  `CREATE TABLE notification_targets (
    target_id ${id} PRIMARY KEY,
    -- Null: it gets the notices of all organizations.
    org_id ${id} REFERENCES organizations (org_id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    name TEXT,
    address TEXT NOT NULL,
    sealed_secret TEXT,
    created_by ${id} NOT NULL,
    created_at BIGINT NOT NULL,
    confirmed_at BIGINT
  )`,
  // A message to one target, inserted with its alert. The process that sends it has claimed it until claimed_until.
  `CREATE TABLE deliveries (
    delivery_id ${id} PRIMARY KEY,
    message_id ${id} NOT NULL,
    org_id ${id} NOT NULL,
    target_id ${id} NOT NULL REFERENCES notification_targets (target_id) ON DELETE CASCADE,
    alert_id ${id},
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL,
    last_attempt_at BIGINT,
    last_outcome TEXT,
    created_at BIGINT NOT NULL
  )`,
  `CREATE INDEX deliveries_due ON deliveries (status, next_attempt_at)`,
  // Tasks that only one replica runs at a time.
  `CREATE TABLE leases (
    name ${id} PRIMARY KEY,
    holder TEXT NOT NULL,
    until BIGINT NOT NULL
  )`,
];

/** For the lists, and for what changes and deletions of a user look for. */
const indexes = (): string[] => [
  `CREATE INDEX organizations_by_time ON organizations (created_at, org_id)`,
  `CREATE INDEX organizations_by_name ON organizations (lower(name), org_id)`,
  `CREATE INDEX organizations_by_tier ON organizations (tier, tier_limits)`,
  `CREATE INDEX api_keys_by_expiry ON api_keys (expires_at, key_id) WHERE status = 'active'`,
  `CREATE INDEX api_keys_by_time ON api_keys (org_id, created_at, key_id)`,
  `CREATE INDEX api_keys_by_name ON api_keys (org_id, lower(name), key_id)`,
  `CREATE INDEX users_by_time ON users (created_at, id)`,
  `CREATE INDEX users_by_name ON users (lower(name), id)`,
  `CREATE INDEX members_by_time ON members (org_id, created_at, user_id)`,
  `CREATE INDEX memberships_by_time ON members (user_id, created_at, org_id)`,
  `CREATE INDEX invitations_by_time ON invitations (org_id, created_at, invitation_id)`,
  `CREATE INDEX sessions_by_renewal ON sessions (user_id, updated_at, id)`,
  `CREATE INDEX notification_targets_by_time ON notification_targets (org_id, created_at, target_id)`,
  `CREATE INDEX alerts_by_time ON alerts (org_id, raised_at_ms, alert_id)`,
  `CREATE INDEX alerts_open ON alerts (org_id, raised_at_ms, alert_id) WHERE acknowledged_at_ms IS NULL`,
  `CREATE INDEX alerts_acknowledged ON alerts (org_id, raised_at_ms, alert_id)
    WHERE acknowledged_at_ms IS NOT NULL`,
  `CREATE INDEX alerts_by_age ON alerts (raised_at_ms)`,
  `CREATE INDEX deliveries_by_age ON deliveries (created_at)`,
  `CREATE INDEX sessions_by_expiry ON sessions (expires_at)`,
  `CREATE INDEX invitations_by_expiry ON invitations (expires_at)`,
  `CREATE INDEX verifications_by_expiry ON verifications (expires_at)`,
  `CREATE INDEX attempts_by_window ON attempts (window_start)`,
  // A window's period changes once in it, so that an update of its count stays cheap on Postgres.
  `CREATE INDEX quota_windows_by_period ON quota_windows (window_kind, window_start, org_id)`,
  `CREATE INDEX deliveries_by_time ON deliveries (org_id, created_at, delivery_id)`,
  `CREATE INDEX deliveries_by_status ON deliveries (org_id, status, created_at, delivery_id)`,
  `CREATE INDEX deliveries_of_target ON deliveries (target_id, created_at, delivery_id)`,
  `CREATE INDEX users_by_role ON users (is_admin, is_disabled)`,
  `CREATE INDEX api_keys_by_user ON api_keys (user_id, status)`,
  `CREATE INDEX invitations_by_inviter ON invitations (invited_by)`,
  `CREATE INDEX verifications_by_value ON verifications (value)`,
  `CREATE INDEX deliveries_of_target_by_status ON deliveries (target_id, status, created_at, delivery_id)`,
];

/** The tables and indexes that both databases have. */
export const tables = (types: ColumnTypes): string[] =>
  [core, usage, signIn, people, alerts, requests, audit, files, indexes].flatMap((part) => part(types));
