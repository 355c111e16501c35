interface UsageFigures {
  counted: number;
  cached: number;
  failed: number;
  texts: number;
  tokens: number;
}

/** The tables, as both databases have them. Times are milliseconds since the Unix epoch, days days since it. */
export interface Database {
  installation: {
    id: number;
    created_at: number;
    /** The organization of a first start that has not shown its credentials yet; else null. */
    pending_org_id: string | null;
  };
  organizations: {
    org_id: string;
    name: string;
    tier: string;
    /** Custom limit of an enterprise organization; null: the tier's own. */
    limit_requests: number | null;
    limit_window: string | null;
    created_at: number;
    /** Raised whenever a key is added or tokens are issued anew: what optimistic changes compare. */
    revision: number;
  };
  /** Those that have left rows in the tables of usage. */
  deleted_organizations: { org_id: string; deleted_at: number };
  api_keys: {
    key_id: string;
    org_id: string;
    user_id: string;
    name: string;
    digest: string;
    hint: string;
    token: Uint8Array;
    status: string;
    created_at: number;
    expires_at: number;
    revoked_at: number | null;
    /** The key that this one replaces. */
    rotated_from: string | null;
    is_self_made: number;
    lifetime_ms: number | null;
  };
  key_activity: {
    key_id: string;
    last_used_at: number;
  };
  /** The ledger: what an organization used in the window that starts at `window_start`. */
  quota_windows: {
    org_id: string;
    window_kind: string;
    window_start: number;
    used: number;
  };
  usage_daily: UsageFigures & { org_id: string; key_id: string; day: number };
  /** The last batch of usage records that each process has written. */
  usage_writers: { writer_id: string; last_batch: number; written_at: number };
  /** The months whose sums the next two tables hold; `first_day` is the month's, `end_day` the next one's. */
  usage_rolled: { org_id: string; first_day: number; end_day: number };
  /** The months whose sums are being made, or have to be made again, since records came late. */
  usage_rolling: {
    org_id: string;
    first_day: number;
    end_day: number;
    /** Raised by what comes late. */
    round: number;
    /** -1: older sums are still there. Else the records up to this one are in the sums. */
    after_day: number;
    after_key: string;
  };
  usage_monthly: UsageFigures & { org_id: string; first_day: number; key_id: string };
  usage_by_day: UsageFigures & { org_id: string; day: number };
  users: {
    id: string;
    name: string;
    email: string;
    email_verified: number;
    image: string | null;
    is_admin: number;
    two_factor_enabled: number | null;
    is_disabled: number;
    /** ISO 8601, as all times of the tables that better-auth keeps. */
    created_at: string;
    updated_at: string;
  };
  sessions: {
    id: string;
    user_id: string;
    token: string;
    expires_at: string;
    ip_address: string | null;
    user_agent: string | null;
    created_at: string;
    updated_at: string;
  };
  /** How a user may sign in: the digest of a password, or an account with a provider. */
  credentials: {
    id: string;
    user_id: string;
    provider_id: string;
    account_id: string;
    password: string | null;
    access_token: string | null;
    refresh_token: string | null;
    id_token: string | null;
    access_token_expires_at: string | null;
    refresh_token_expires_at: string | null;
    scope: string | null;
    created_at: string;
    updated_at: string;
  };
  verifications: {
    id: string;
    identifier: string;
    value: string;
    expires_at: string;
    created_at: string;
    updated_at: string;
  };
  two_factors: {
    id: string;
    user_id: string;
    secret: string;
    backup_codes: string;
    verified: number | null;
    failed_verification_count: number | null;
    locked_until: string | null;
  };
  attempts: {
    subject: string;
    window_start: number;
    count: number;
  };
  members: {
    org_id: string;
    user_id: string;
    role: string;
    created_at: number;
  };
  invitations: {
    invitation_id: string;
    org_id: string;
    email: string;
    role: string;
    digest: string;
    mailed: number;
    invited_by: string;
    created_at: number;
    expires_at: number;
  };
  alert_settings: {
    org_id: string;
    /** Percents, ascending, with commas between. */
    thresholds: string;
    projection: number;
  };
  alerts: {
    alert_id: string;
    org_id: string;
    kind: string;
    /** Percent; 0 for a projection. */
    threshold: number;
    window_kind: string;
    window_start: number;
    limit_requests: number;
    used: number;
    exhausts_at: number | null;
    raised_at: number;
    acknowledged_at: number | null;
    acknowledged_by: string | null;
  };
  notification_targets: {
    target_id: string;
    org_id: string;
    kind: string;
    address: string;
    sealed_secret: string | null;
    created_by: string;
    created_at: number;
  };
  deliveries: {
    delivery_id: string;
    message_id: string;
    org_id: string;
    target_id: string;
    alert_id: string | null;
    type: string;
    payload: string;
    status: string;
    attempts: number;
    next_attempt_at: number;
    claimed_until: number;
    last_attempt_at: number | null;
    last_outcome: string | null;
    created_at: number;
  };
  leases: {
    name: string;
    holder: string;
    until: number;
  };
}
