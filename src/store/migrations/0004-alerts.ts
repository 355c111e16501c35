import { columnTypes, type Migration } from './migration.ts';

/** Rows are deleted with their organization by cascade, because an alert may be raised during the deletion. */
export const alerts: Migration = {
  version: 4,
  statements: (dialect) => {
    const { id } = columnTypes[dialect];
    return [
      // An organization without a row has the defaults.
      `CREATE TABLE alert_settings (
        org_id ${id} PRIMARY KEY REFERENCES organizations (org_id) ON DELETE CASCADE,
        thresholds TEXT NOT NULL,
        projection INTEGER NOT NULL
      )`,
      // The unique constraint makes sure that each alert is raised once, however many replicas notice.
      `CREATE TABLE alerts (
        alert_id ${id} PRIMARY KEY,
        org_id ${id} NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('threshold', 'projection')),
        threshold BIGINT NOT NULL,
        window_kind ${id} NOT NULL,
        window_start BIGINT NOT NULL,
        limit_requests BIGINT NOT NULL,
        used BIGINT NOT NULL,
        exhausts_at BIGINT,
        raised_at BIGINT NOT NULL,
        acknowledged_at BIGINT,
        acknowledged_by TEXT,
        UNIQUE (org_id, window_kind, window_start, kind, threshold)
      )`,
      `CREATE TABLE notification_targets (
        target_id ${id} PRIMARY KEY,
        org_id ${id} NOT NULL REFERENCES organizations (org_id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('email', 'webhook')),
        address TEXT NOT NULL,
        sealed_secret TEXT,
        created_by ${id} NOT NULL,
        created_at BIGINT NOT NULL
      )`,
      `CREATE INDEX notification_targets_by_organization ON notification_targets (org_id, created_at)`,
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
      `CREATE INDEX deliveries_by_target ON deliveries (target_id, created_at)`,
      `CREATE INDEX deliveries_by_organization ON deliveries (org_id, created_at)`,
      // Tasks that only one replica runs at a time.
      `CREATE TABLE leases (
        name ${id} PRIMARY KEY,
        holder TEXT NOT NULL,
        until BIGINT NOT NULL
      )`,
    ];
  },
};
