import { type Kysely, sql } from 'kysely';
import {
  type Alert,
  type AlertSettings,
  type AlertStore,
  defaultSettings,
  factOf,
  keyExpiryMs,
  type Raised,
} from '../alerts/alert.ts';
import { rowKindOf } from '../quota/decide.ts';
import { auditedAny, locked, writeEntry } from './audit.ts';
import { enqueueToAll } from './deliveries.ts';
import { deleteSome } from './housekeeping.ts';
import { readPage } from './keyset.ts';
import { customLimit, type Database } from './schema.ts';
import type { DatabaseTime } from './sql.ts';
import { retryIfRolledBack, unlessDeleted } from './transactions.ts';

const order = { orders: { created: sql.ref('raisedAtMs') }, id: sql.ref('alertId') };

export function alertStore(db: Kysely<Database>, time: DatabaseTime): AlertStore {
  return {
    async settings(orgId) {
      const row = await db
        .selectFrom('alert_settings')
        .select(settingsColumns)
        .where('orgId', '=', orgId)
        .executeTakeFirst();
      return row && toSettings(row);
    },

    async setSettings(orgId, changes) {
      const written = db.transaction().execute(async (transaction) => {
        const old = await locked(transaction, 'alert_settings', 'orgId', orgId);
        const before = { orgId, ...(old ? toSettings(old) : defaultSettings) };
        const settings = { ...before, ...changes };
        const row = {
          thresholds: settings.thresholds.join(','),
          limitThresholds: settings.limitThresholds.join(','),
          keyExpiry: Number(settings.keyExpiry),
          projection: Number(settings.projection),
        };
        await transaction
          .insertInto('alert_settings')
          .values({ orgId, ...row })
          .onConflict((conflict) => conflict.column('orgId').doUpdateSet(row))
          .execute();
        await writeEntry(transaction, 'alert-settings.change', { before, after: settings });
        return settings;
      });
      return unlessDeleted(written, null);
    },

    async settingsOf(orgIds) {
      if (orgIds.length === 0) return new Map();
      const rows = await db.selectFrom('alert_settings').selectAll().where('orgId', 'in', orgIds).execute();
      return new Map(rows.map((row) => [row.orgId, toSettings(row)]));
    },

    raise(raised) {
      // In a fixed order, so that two processes that raise the same alerts can't deadlock.
      const inOrder = raised.toSorted((a, b) => (keyOf(a.alert) < keyOf(b.alert) ? -1 : 1));
      return retryIfRolledBack(() =>
        db.transaction().execute(async (transaction) => {
          const inserted = await transaction
            .insertInto('alerts')
            .values(inOrder.map(({ alert }) => alert))
            .onConflict((conflict) => conflict.doNothing())
            .returning('alertId')
            .execute();
          const ids = new Set(inserted.map(({ alertId }) => alertId));
          const fresh = inOrder.filter(({ alert }) => ids.has(alert.alertId));
          const messages = fresh.map(({ alert: { orgId, alertId }, message }) => ({
            orgId,
            alertId,
            message,
          }));
          if (fresh.length > 0) await closeLower(transaction, fresh);
          if (fresh.length > 0) await enqueueToAll(transaction, messages, time());
          return [...ids];
        }),
      );
    },

    list(orgId, status, page) {
      const all = db.selectFrom('alerts').selectAll().where('orgId', '=', orgId);
      const rows =
        status === null ? all : all.where('acknowledgedAtMs', status === 'open' ? 'is' : 'is not', null);
      return readPage(db, page, { rows, ...order }, (row) => row);
    },

    async acknowledge(orgId, alertIds, by, nowMs) {
      await auditedAny(db, 'alert.acknowledge', (transaction) =>
        transaction
          .updateTable('alerts')
          .set({ acknowledgedAtMs: nowMs, acknowledgedBy: by })
          .where('orgId', '=', orgId)
          .where('alertId', 'in', alertIds)
          .where('acknowledgedAtMs', 'is', null)
          .returningAll(),
      );
      return db
        .selectFrom('alerts')
        .selectAll()
        .where('orgId', '=', orgId)
        .where('alertId', 'in', alertIds)
        .execute();
    },

    async countedWindows({ window, unit, startMs, of }) {
      const counted = db
        .selectFrom('quota_windows')
        .select(['orgId', 'used'])
        .where('windowKind', '=', rowKindOf({ window, unit }))
        .where('windowStart', '=', startMs)
        .where('used', '>', 0);
      const some =
        'orgId' in of
          ? counted.where('orgId', '=', of.orgId)
          : counted.where('orgId', '>', of.after).orderBy('orgId').limit(of.limit);
      // Joined afterwards: Postgres would read all organizations between these.
      const rows = await db
        .selectFrom(some.as('counted'))
        .leftJoin('organizations', 'organizations.orgId', 'counted.orgId')
        .leftJoin('alert_settings', 'alert_settings.orgId', 'counted.orgId')
        .select(['counted.orgId', 'used', 'tier', 'limitRequests', 'limitWindow', ...settingsColumns])
        .orderBy('counted.orgId')
        .execute();
      if (rows.length === 0) return [];
      const alerts = await db
        .selectFrom('alerts')
        .select(['orgId', 'kind', 'threshold'])
        .where(
          'orgId',
          'in',
          rows.map(({ orgId }) => orgId),
        )
        .where('fact', '=', factOf(window, startMs))
        .execute();
      const raised = Map.groupBy(alerts, ({ orgId }) => orgId);
      return rows.map(({ orgId, used, tier, limitRequests, limitWindow, ...settings }) => ({
        orgId,
        used,
        window,
        unit,
        startMs,
        tier,
        custom: customLimit({ limitRequests, limitWindow }),
        settings: settings.thresholds === null ? undefined : toSettings(settings as SettingsRow),
        raised: (raised.get(orgId) ?? []).map(({ kind, threshold }) => ({ kind, threshold })),
      }));
    },

    expiringKeys({ after, untilMs, limit }) {
      return (
        db
          .selectFrom('api_keys')
          .leftJoin('alert_settings', 'alert_settings.orgId', 'api_keys.orgId')
          .select(['api_keys.orgId', 'keyId', 'name', 'expiresAt'])
          // Literally as in the index.
          .where(
            sql<boolean>`status = 'active' AND enabled = 1 AND (expires_at, key_id) > (${after.expiresAt}, ${after.keyId})`,
          )
          .where('expiresAt', '<=', untilMs)
          .where(sql<boolean>`expires_at - created_at > ${sql.lit(keyExpiryMs)}`)
          .where(sql<boolean>`COALESCE(key_expiry, 1) = 1`)
          .where(
            sql<boolean>`NOT EXISTS (SELECT 1 FROM api_keys AS newer WHERE newer.rotated_from = api_keys.key_id)`,
          )
          // The fact is what `factOf` returns.
          .where(
            sql<boolean>`NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.org_id = api_keys.org_id
              AND alerts.fact = api_keys.key_id || ' ' || api_keys.expires_at)`,
          )
          .orderBy('expiresAt')
          .orderBy('keyId')
          .limit(limit)
          .execute()
      );
    },

    prune: (raisedBeforeMs) => deleteSome(db, 'alerts', 'alertId', sql`raised_at_ms < ${raisedBeforeMs}`),
  };
}

/** Closes the open alerts that say less than another one of the same fact: one fact has one open alert. */
async function closeLower(db: Kysely<Database>, raised: readonly Raised[]): Promise<void> {
  const orgIds = raised.map(({ alert }) => alert.orgId);
  await db
    .updateTable('alerts')
    .set({ acknowledgedAtMs: Math.max(...raised.map(({ alert }) => alert.raisedAtMs)) })
    .where('orgId', 'in', orgIds)
    .where('acknowledgedAtMs', 'is', null)
    // A forecast says more than a threshold below the end.
    .where(sql<boolean>`EXISTS (SELECT 1 FROM alerts AS higher WHERE higher.org_id = alerts.org_id
      AND higher.fact = alerts.fact AND higher.threshold > alerts.threshold
      AND (alerts.kind = 'threshold' OR higher.threshold = 100))`)
    .execute();
}

const keyOf = ({ orgId, fact, kind, threshold }: Alert): string =>
  [orgId, fact, kind, String(threshold).padStart(3, '0')].join(' ');

const settingsColumns = ['thresholds', 'limitThresholds', 'keyExpiry', 'projection'] as const;
type SettingsRow = Omit<Database['alert_settings'], 'orgId'>;

function toSettings({ thresholds, limitThresholds, keyExpiry, projection }: SettingsRow): AlertSettings {
  const percentages = (text: string) => (text === '' ? [] : text.split(',').map(Number));
  return {
    thresholds: percentages(thresholds),
    limitThresholds: percentages(limitThresholds),
    keyExpiry: keyExpiry === 1,
    projection: projection === 1,
  };
}
