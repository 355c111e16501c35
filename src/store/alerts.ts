import type { Kysely } from 'kysely';
import { newId } from '../lib/ids.ts';
import { type WindowKind, windowAt } from '../quota/window.ts';
import type { Alert, AlertMessage, AlertSettings, AlertStore } from '../usage/alerts/alert.ts';
import { unlessDeleted } from './missing-organization.ts';
import { customLimit } from './organizations.ts';
import type { Database } from './schema.ts';

export function alertStore(db: Kysely<Database>): AlertStore {
  return {
    async settings(orgId) {
      const row = await db
        .selectFrom('alert_settings')
        .select(['thresholds', 'projection'])
        .where('org_id', '=', orgId)
        .executeTakeFirst();
      return row && toSettings(row);
    },

    async setSettings(orgId, { thresholds, projection }) {
      const row = { thresholds: thresholds.join(','), projection: Number(projection) };
      const written = db
        .insertInto('alert_settings')
        .values({ org_id: orgId, ...row })
        .onConflict((conflict) => conflict.column('org_id').doUpdateSet(row))
        .execute();
      return (await unlessDeleted(written, null)) !== null;
    },

    raise(alert, message) {
      return db.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('alerts')
          .values(toRow(alert))
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (!numInsertedOrUpdatedRows) return false;
        await enqueueToAll(transaction, alert, message);
        return true;
      });
    },

    async list(orgId, limit) {
      const rows = await db
        .selectFrom('alerts')
        .selectAll()
        .where('org_id', '=', orgId)
        .orderBy('raised_at', 'desc')
        .orderBy('threshold', 'desc')
        .orderBy('alert_id')
        .limit(limit)
        .execute();
      return rows.map(toAlert);
    },

    async acknowledge(orgId, alertId, by, nowMs) {
      await db
        .updateTable('alerts')
        .set({ acknowledged_at: nowMs, acknowledged_by: by })
        .where('org_id', '=', orgId)
        .where('alert_id', '=', alertId)
        .where('acknowledged_at', 'is', null)
        .execute();
      const row = await db
        .selectFrom('alerts')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('alert_id', '=', alertId)
        .executeTakeFirst();
      return row && toAlert(row);
    },

    async countedWindows(nowMs) {
      const rows = await countedRows(db, nowMs).execute();
      const raised = Map.groupBy(await raisedRows(db).execute(), windowKey);
      return rows.map((row) => ({
        orgId: row.org_id,
        tier: row.tier,
        custom: customLimit(row),
        window: row.window_kind as WindowKind,
        startMs: row.window_start,
        used: row.used,
        settings:
          row.thresholds === null || row.projection === null
            ? undefined
            : toSettings({ thresholds: row.thresholds, projection: row.projection }),
        raised: (raised.get(windowKey(row)) ?? []).map(({ kind, threshold }) => ({
          kind: kind as Alert['kind'],
          threshold,
        })),
      }));
    },

    async prune(raisedBeforeMs) {
      await db.deleteFrom('alerts').where('raised_at', '<', raisedBeforeMs).execute();
    },
  };
}

async function enqueueToAll(
  db: Kysely<Database>,
  { orgId, alertId, raisedAtMs }: Alert,
  message: AlertMessage,
) {
  const targets = await db
    .selectFrom('notification_targets')
    .select('target_id')
    .where('org_id', '=', orgId)
    .execute();
  if (targets.length === 0) return;
  await db
    .insertInto('deliveries')
    .values(
      targets.map(({ target_id }) => ({
        ...{ delivery_id: newId(), message_id: message.messageId, org_id: orgId, target_id },
        ...{ alert_id: alertId, type: message.type, payload: message.payload, status: 'pending' },
        ...{ attempts: 0, next_attempt_at: raisedAtMs, claimed_until: 0, created_at: raisedAtMs },
      })),
    )
    .execute();
}

/** Windows that have not passed, in which anything was counted. */
function countedRows(db: Kysely<Database>, nowMs: number) {
  return db
    .selectFrom('quota_windows')
    .innerJoin('organizations', 'organizations.org_id', 'quota_windows.org_id')
    .leftJoin('alert_settings', 'alert_settings.org_id', 'quota_windows.org_id')
    .select(['quota_windows.org_id', 'window_kind', 'window_start', 'used'])
    .select(['tier', 'limit_requests', 'limit_window', 'thresholds', 'projection'])
    .where('used', '>', 0)
    .where((eb) =>
      eb.or(
        (['month', 'day'] as const).map((kind) =>
          eb.and([eb('window_kind', '=', kind), eb('window_start', '>=', windowAt(kind, nowMs).startMs)]),
        ),
      ),
    );
}

/** What was raised about the windows that the ledger counts in now. */
function raisedRows(db: Kysely<Database>) {
  return db
    .selectFrom('alerts')
    .innerJoin('quota_windows', (join) =>
      join
        .onRef('quota_windows.org_id', '=', 'alerts.org_id')
        .onRef('quota_windows.window_kind', '=', 'alerts.window_kind')
        .onRef('quota_windows.window_start', '=', 'alerts.window_start'),
    )
    .select(['alerts.org_id', 'alerts.window_kind', 'kind', 'threshold']);
}

const windowKey = (row: { org_id: string; window_kind: string }) => `${row.org_id} ${row.window_kind}`;

function toSettings({ thresholds, projection }: { thresholds: string; projection: number }): AlertSettings {
  return {
    thresholds: thresholds === '' ? [] : thresholds.split(',').map(Number),
    projection: projection === 1,
  };
}

function toRow(alert: Alert): Database['alerts'] {
  return {
    alert_id: alert.alertId,
    org_id: alert.orgId,
    kind: alert.kind,
    threshold: alert.threshold,
    window_kind: alert.window,
    window_start: alert.windowStartMs,
    limit_requests: alert.limit,
    used: alert.used,
    exhausts_at: alert.exhaustsAtMs,
    raised_at: alert.raisedAtMs,
    acknowledged_at: alert.acknowledgedAtMs,
    acknowledged_by: alert.acknowledgedBy,
  };
}

function toAlert(row: Database['alerts']): Alert {
  return {
    alertId: row.alert_id,
    orgId: row.org_id,
    kind: row.kind as Alert['kind'],
    threshold: row.threshold,
    window: row.window_kind as WindowKind,
    windowStartMs: row.window_start,
    limit: row.limit_requests,
    used: row.used,
    exhaustsAtMs: row.exhausts_at,
    raisedAtMs: row.raised_at,
    acknowledgedAtMs: row.acknowledged_at,
    acknowledgedBy: row.acknowledged_by,
  };
}
