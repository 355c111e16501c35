import type { Kysely, RawBuilder } from 'kysely';
import { newId } from '../lib/ids.ts';
import { type WindowKind, windowAt } from '../quota/window.ts';
import type { Alert, AlertSettings, AlertStore, Raised } from '../usage/alerts/alert.ts';
import { againWhenRolledBack } from './again-when-rolled-back.ts';
import type { DatabaseTime } from './database-time.ts';
import { someOrganizations } from './each-organization.ts';
import { unlessDeleted } from './missing-row.ts';
import { customLimit } from './organizations.ts';
import { isFull, rowsPerStep } from './rows-per-step.ts';
import type { Database } from './schema.ts';

export function alertStore(db: Kysely<Database>, time: DatabaseTime): AlertStore {
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

    async settingsOf(orgIds) {
      if (orgIds.length === 0) return new Map();
      const rows = await db.selectFrom('alert_settings').selectAll().where('org_id', 'in', orgIds).execute();
      return new Map(rows.map((row) => [row.org_id, toSettings(row)]));
    },

    raise(raised) {
      // In one order, so that two that raise the same can't deadlock.
      const inOrder = raised.toSorted((a, b) => (keyOf(a.alert) < keyOf(b.alert) ? -1 : 1));
      return againWhenRolledBack(() =>
        db.transaction().execute(async (transaction) => {
          const inserted = await transaction
            .insertInto('alerts')
            .values(inOrder.map(({ alert }) => toRow(alert)))
            .onConflict((conflict) => conflict.doNothing())
            .returning('alert_id')
            .execute();
          const ids = new Set(inserted.map(({ alert_id }) => alert_id));
          const fresh = inOrder.filter(({ alert }) => ids.has(alert.alertId));
          if (fresh.length > 0) await enqueueToAll(transaction, fresh, time());
          return [...ids];
        }),
      );
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

    async countedWindows(nowMs, afterOrgId, limit) {
      const found = await db
        .selectFrom('organizations')
        .select('org_id')
        .where('org_id', '>', afterOrgId)
        .orderBy('org_id')
        .limit(limit)
        .execute();
      const last = found.at(-1)?.org_id;
      if (last === undefined) return { windows: [], lastOrgId: null };
      const range = { after: afterOrgId, last };
      const rows = await countedRows(db, nowMs, range).execute();
      const raised = Map.groupBy(await raisedRows(db, range).execute(), windowKey);
      const windows = rows.map((row) => ({
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
      return { windows, lastOrgId: found.length < limit ? null : last };
    },

    prune(raisedBeforeMs, afterOrgId) {
      return someOrganizations(db, afterOrgId, async (orgId) => {
        const deleted = await db
          .deleteFrom('alerts')
          .where('alert_id', 'in', (eb) =>
            eb
              .selectFrom('alerts')
              .select('alert_id')
              .where('org_id', '=', orgId)
              .where('raised_at', '<', raisedBeforeMs)
              .limit(rowsPerStep),
          )
          .executeTakeFirst();
        return isFull(deleted);
      });
    },
  };
}

const keyOf = ({ orgId, window, windowStartMs, kind, threshold }: Alert): string =>
  [orgId, window, windowStartMs, kind, String(threshold).padStart(3, '0')].join(' ');

/** Rows a statement: well under both databases' bounds on parameters. */
const maxDeliveriesPerStatement = 500;

async function enqueueToAll(
  db: Kysely<Database>,
  raised: readonly Raised[],
  nowMs: RawBuilder<number>,
): Promise<void> {
  const targets = await db
    .selectFrom('notification_targets')
    .select(['org_id', 'target_id'])
    .where('org_id', 'in', [...new Set(raised.map(({ alert }) => alert.orgId))])
    .execute();
  const byOrg = Map.groupBy(targets, ({ org_id }) => org_id);
  const rows = raised.flatMap(({ alert, message }) =>
    (byOrg.get(alert.orgId) ?? []).map(({ target_id }) => ({
      ...{ delivery_id: newId(), message_id: message.messageId, org_id: alert.orgId, target_id },
      ...{ alert_id: alert.alertId, type: message.type, payload: message.payload, status: 'pending' },
      ...{ attempts: 0, next_attempt_at: nowMs, claimed_until: 0, created_at: nowMs },
    })),
  );
  for (let from = 0; from < rows.length; from += maxDeliveriesPerStatement) {
    await db
      .insertInto('deliveries')
      .values(rows.slice(from, from + maxDeliveriesPerStatement))
      .execute();
  }
}

/** Organizations by their ids. */
interface Range {
  readonly after: string;
  readonly last: string;
}

/** Windows that have not passed, in which anything was counted. */
function countedRows(db: Kysely<Database>, nowMs: number, { after, last }: Range) {
  return db
    .selectFrom('quota_windows')
    .innerJoin('organizations', 'organizations.org_id', 'quota_windows.org_id')
    .leftJoin('alert_settings', 'alert_settings.org_id', 'quota_windows.org_id')
    .select(['quota_windows.org_id', 'window_kind', 'window_start', 'used'])
    .select(['tier', 'limit_requests', 'limit_window', 'thresholds', 'projection'])
    .where('quota_windows.org_id', '>', after)
    .where('quota_windows.org_id', '<=', last)
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
function raisedRows(db: Kysely<Database>, { after, last }: Range) {
  return db
    .selectFrom('alerts')
    .innerJoin('quota_windows', (join) =>
      join
        .onRef('quota_windows.org_id', '=', 'alerts.org_id')
        .onRef('quota_windows.window_kind', '=', 'alerts.window_kind')
        .onRef('quota_windows.window_start', '=', 'alerts.window_start'),
    )
    .select(['alerts.org_id', 'alerts.window_kind', 'kind', 'threshold'])
    .where('alerts.org_id', '>', after)
    .where('alerts.org_id', '<=', last);
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
