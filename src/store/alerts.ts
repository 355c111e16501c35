import { type Kysely, sql } from 'kysely';
import type { Alert, AlertSettings, AlertStore, Raised } from '../alerts/alert.ts';
import { countedIn, rowKindOf } from '../quota/decide.ts';
import { limitUnits } from '../quota/limit.ts';
import { type WindowKind, windowAt } from '../quota/window.ts';
import { enqueueToAll } from './deliveries.ts';
import { deleteSome, someOrganizations } from './housekeeping.ts';
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
        .select(['thresholds', 'projection'])
        .where('orgId', '=', orgId)
        .executeTakeFirst();
      return row && toSettings(row);
    },

    async setSettings(orgId, { thresholds, projection }) {
      const row = { thresholds: thresholds.join(','), projection: Number(projection) };
      const written = db
        .insertInto('alert_settings')
        .values({ orgId, ...row })
        .onConflict((conflict) => conflict.column('orgId').doUpdateSet(row))
        .execute();
      return (await unlessDeleted(written, null)) !== null;
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
      return readPage(page, { rows, ...order }, (row) => row);
    },

    async acknowledge(orgId, alertId, by, nowMs) {
      await db
        .updateTable('alerts')
        .set({ acknowledgedAtMs: nowMs, acknowledgedBy: by })
        .where((eb) => eb.and({ orgId, alertId }))
        .where('acknowledgedAtMs', 'is', null)
        .execute();
      return db
        .selectFrom('alerts')
        .selectAll()
        .where((eb) => eb.and({ orgId, alertId }))
        .executeTakeFirst();
    },

    async countedWindows(nowMs, afterOrgId, limit) {
      const found = await db
        .selectFrom('organizations')
        .select('orgId')
        .where('orgId', '>', afterOrgId)
        .orderBy('orgId')
        .limit(limit)
        .execute();
      const last = found.at(-1)?.orgId;
      if (last === undefined) return { windows: [], lastOrgId: null };
      const range = { after: afterOrgId, last };
      const rows = await countedRows(db, nowMs, range).execute();
      const raised = Map.groupBy(await raisedRows(db, range).execute(), windowKey);
      const windows = rows.map(
        ({ windowKind, limitRequests, limitWindow, thresholds, projection, ...row }) => {
          const { window, unit } = countedIn(windowKind);
          return {
            ...row,
            window,
            unit,
            custom: customLimit({ limitRequests, limitWindow }),
            settings:
              thresholds === null || projection === null ? undefined : toSettings({ thresholds, projection }),
            raised: (raised.get(windowKey({ orgId: row.orgId, window })) ?? []).map(
              ({ kind, threshold }) => ({ kind, threshold }),
            ),
          };
        },
      );
      return { windows, lastOrgId: found.length < limit ? null : last };
    },

    prune(raisedBeforeMs, afterOrgId) {
      return someOrganizations(db, afterOrgId, (orgId) =>
        deleteSome(db, 'alerts', 'alertId', sql`org_id = ${orgId} AND raised_at_ms < ${raisedBeforeMs}`),
      );
    },
  };
}

/** Closes the open alerts that say less than another one of the same window: one fact has one open alert. */
async function closeLower(db: Kysely<Database>, raised: readonly Raised[]): Promise<void> {
  const orgIds = raised.map(({ alert }) => alert.orgId);
  await db
    .updateTable('alerts')
    .set({ acknowledgedAtMs: Math.max(...raised.map(({ alert }) => alert.raisedAtMs)) })
    .where('orgId', 'in', orgIds)
    .where('acknowledgedAtMs', 'is', null)
    // A forecast says more than a threshold below the end.
    .where(sql<boolean>`EXISTS (SELECT 1 FROM alerts AS higher WHERE higher.org_id = alerts.org_id
      AND higher.window = alerts.window AND higher.window_start_ms = alerts.window_start_ms
      AND higher.threshold > alerts.threshold AND (alerts.kind = 'threshold' OR higher.threshold = 100))`)
    .execute();
}

const keyOf = ({ orgId, window, windowStartMs, kind, threshold }: Alert): string =>
  [orgId, window, windowStartMs, kind, String(threshold).padStart(3, '0')].join(' ');

/** A range of organization ids. */
interface Range {
  readonly after: string;
  readonly last: string;
}

/** Selects the month and day windows at or after `nowMs` in which anything was counted. */
function countedRows(db: Kysely<Database>, nowMs: number, { after, last }: Range) {
  return db
    .selectFrom('quota_windows')
    .innerJoin('organizations', 'organizations.orgId', 'quota_windows.orgId')
    .leftJoin('alert_settings', 'alert_settings.orgId', 'quota_windows.orgId')
    .select(['quota_windows.orgId', 'windowKind', 'windowStart as startMs', 'used'])
    .select(['tier', 'limitRequests', 'limitWindow', 'thresholds', 'projection'])
    .where('quota_windows.orgId', '>', after)
    .where('quota_windows.orgId', '<=', last)
    .where('used', '>', 0)
    .where((eb) =>
      eb.or(
        (['month', 'day'] as const).map((kind) =>
          eb.and([
            eb(
              'windowKind',
              'in',
              limitUnits.map((unit) => rowKindOf({ window: kind, unit })),
            ),
            eb('windowStart', '>=', windowAt(kind, nowMs).startMs),
          ]),
        ),
      ),
    );
}

/** Selects the alerts raised for the windows that the ledger currently counts in. */
function raisedRows(db: Kysely<Database>, { after, last }: Range) {
  return db
    .selectFrom('alerts')
    .innerJoin('quota_windows', (join) =>
      join
        .onRef('quota_windows.orgId', '=', 'alerts.orgId')
        .on('quota_windows.windowKind', 'like', sql`alerts.window || '%'`)
        .onRef('quota_windows.windowStart', '=', 'alerts.windowStartMs'),
    )
    .select(['alerts.orgId', 'alerts.window', 'kind', 'threshold'])
    .where('alerts.orgId', '>', after)
    .where('alerts.orgId', '<=', last);
}

const windowKey = ({ orgId, window }: { orgId: string; window: WindowKind }) => `${orgId} ${window}`;

function toSettings({ thresholds, projection }: { thresholds: string; projection: number }): AlertSettings {
  return {
    thresholds: thresholds === '' ? [] : thresholds.split(',').map(Number),
    projection: projection === 1,
  };
}
