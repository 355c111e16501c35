/** The tables, as both databases have them. Times are milliseconds since the Unix epoch, days days since it. */
export interface Database {
  installation: {
    id: number;
    created_at: number;
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
  usage_daily: {
    org_id: string;
    key_id: string;
    day: number;
    counted: number;
    cached: number;
    failed: number;
    texts: number;
    tokens: number;
  };
}
