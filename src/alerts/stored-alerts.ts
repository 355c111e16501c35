import { type Kysely, type NotNull, sql } from 'kysely';
import { auditedAny, locked, writeEntry } from '../database/audit.ts';
import { deleteSome } from '../database/housekeeping.ts';
import { readPage } from '../database/keyset.ts';
import { customLimit, type Database } from '../database/schema.ts';
import type { DatabaseTime } from '../database/sql.ts';
import { retryDeletion, unlessDeleted } from '../database/transactions.ts';
import { invalidField, notFound } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { rowKindOf } from '../quota/decide.ts';
import type { Tiers } from '../quota/tiers.ts';
import {
  type Alert,
  type AlertSettings,
  type AlertStatus,
  alertList,
  areThresholds,
  type CountedWindow,
  defaultSettings,
  type ExpiringAsked,
  type ExpiringKey,
  factOf,
  keyExpiryMs,
  type Raised,
  thresholdsRule,
  type WindowsAsked,
} from './alert.ts';
import { type DueAlert, raisedAt } from './due-alert.ts';
import { enqueueToAll } from './stored-deliveries.ts';

const order = { orders: { created: sql.ref('raisedAtMs') }, id: sql.ref('alertId') };

export type Alerts = ReturnType<typeof alertsIn>;

/** The alerts about organizations' quotas, limits and keys, and the alert settings. */
export const alertsIn = (db: Kysely<Database>, clock: Clock, time: DatabaseTime, tiers: Tiers) => ({
  async settings(orgId: string): Promise<AlertSettings> {
    const found = (await this.settingsOf([orgId])).get(orgId);
    if (!found) throw notFound(`No organization ${orgId}`);
    return found;
  },

  /** Changes the settings for alerts raised from now on. Throws `invalid_request` and `not_found`. */
  async setSettings(orgId: string, changes: Partial<typeof defaultSettings>): Promise<AlertSettings> {
    const { thresholds, limitThresholds } = changes;
    const valid = {
      ...changes,
      ...(thresholds && { thresholds: validThresholds('thresholds', thresholds) }),
      ...(limitThresholds && { limitThresholds: validThresholds('limit_thresholds', limitThresholds) }),
    };
    const written = db.transaction().execute(async (transaction) => {
      const old = await locked(transaction, 'alert_settings', 'orgId', orgId);
      const before = { orgId, ...(old ? toSettings(old) : defaultSettings) };
      const settings = { ...before, ...valid };
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
    });
    await unlessDeleted(written);
    return this.settings(orgId);
  },

  /** Returns the settings of the organizations that exist. */
  async settingsOf(orgIds: readonly string[]): Promise<Map<string, AlertSettings>> {
    if (orgIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('organizations')
      .leftJoin('alert_settings', 'alert_settings.orgId', 'organizations.orgId')
      .select(['organizations.orgId', 'tier', ...settingsColumns])
      .where('organizations.orgId', 'in', orgIds)
      .execute();
    return new Map(rows.map((row) => [row.orgId, inForce(row, tiers)]));
  },

  /**
   * Raises alerts in one transaction, each once for its fact, and queues its message for every channel of the
   * organization. Skips the alerts of organizations that are gone. Returns how many were raised.
   */
  raise(due: readonly DueAlert[]): Promise<number> {
    // In a fixed order, so that two processes that raise the same alerts can't deadlock.
    const all = due.map((one) => raisedAt(clock.now(), one));
    const inOrder = all.toSorted((a, b) => (keyOf(a.alert) < keyOf(b.alert) ? -1 : 1));
    // Runs again if an organization or a channel was deleted after it was read.
    return retryDeletion(() =>
      db.transaction().execute(async (transaction) => {
        const organizations = await transaction
          .selectFrom('organizations')
          .select('orgId')
          .where('orgId', 'in', [...new Set(due.map(({ orgId }) => orgId))])
          .execute();
        const existing = new Set(organizations.map(({ orgId }) => orgId));
        const alerts = inOrder.map(({ alert }) => alert).filter(({ orgId }) => existing.has(orgId));
        if (alerts.length === 0) return 0;
        const inserted = await transaction
          .insertInto('alerts')
          .values(alerts)
          .onConflict((conflict) => conflict.doNothing())
          .returning('alertId')
          .execute();
        const ids = new Set(inserted.map(({ alertId }) => alertId));
        const raised = inOrder.filter(({ alert }) => ids.has(alert.alertId));
        if (raised.length === 0) return 0;
        await closeLower(transaction, raised);
        const messages = raised.map(({ alert: { orgId, alertId }, message }) => ({
          orgId,
          alertId,
          message,
        }));
        await enqueueToAll(transaction, messages, time());
        return raised.length;
      }),
    );
  },

  /** Returns a page of an organization's alerts. Throws `invalid_request`. */
  async list(orgId: string, query: PageQuery & { status?: AlertStatus | undefined }): Promise<Page<Alert>> {
    const { status = null } = query;
    const all = db.selectFrom('alerts').selectAll().where('orgId', '=', orgId);
    const rows =
      status === null ? all : all.where('acknowledgedAtMs', status === 'open' ? 'is' : 'is not', null);
    return readPage(db, alertList.request(query, [orgId, status]), { rows, ...order }, (row) => row);
  },

  /**
   * Acknowledges alerts, and returns those that exist. Only the first acknowledgement is kept. `by` is the id of the user
   * or the key.
   */
  async acknowledge(orgId: string, alertIds: readonly string[], by: string): Promise<Alert[]> {
    await auditedAny(db, 'alert.acknowledge', (transaction) =>
      transaction
        .updateTable('alerts')
        .set({ acknowledgedAtMs: clock.now(), acknowledgedBy: by })
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

  /** Returns the windows in which anything was counted, in the order of their organizations. */
  async countedWindows({ window, unit, startMs, of }: WindowsAsked): Promise<CountedWindow[]> {
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
      settings: inForce({ tier, ...settings }, tiers),
      raised: (raised.get(orgId) ?? []).map(({ kind, threshold }) => ({ kind, threshold })),
    }));
  },

  /** Returns keys that are about to expire, with or without an alert, in the order of their ends. */
  expiringKeys({ after, untilMs, limit }: ExpiringAsked): Promise<ExpiringKey[]> {
    return (
      db
        .selectFrom('api_keys')
        .leftJoin('alert_settings', 'alert_settings.orgId', 'api_keys.orgId')
        .select(['api_keys.orgId', 'keyId', 'name', 'expiresAt'])
        .where('api_keys.orgId', 'is not', null)
        .$narrowType<{ orgId: NotNull }>()
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

  /** Deletes some of the alerts raised before `raisedBeforeMs`. Returns whether there may be more. */
  prune: (raisedBeforeMs: number): Promise<boolean> =>
    deleteSome(db, 'alerts', 'alertId', sql`raised_at_ms < ${raisedBeforeMs}`),
});

function validThresholds(field: string, given: readonly number[]): number[] {
  const thresholds = [...new Set(given)].sort((a, b) => a - b);
  if (areThresholds(thresholds)) return thresholds;
  throw invalidField(field, `${field} must be ${thresholdsRule}`);
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
type Joined = { [Column in keyof SettingsRow]: SettingsRow[Column] | null } & { tier: string | null };

/** Returns the settings of a row of an organization, which has nothing else than its tier if they are the defaults. */
function inForce({ tier, ...row }: Joined, tiers: Tiers): AlertSettings {
  const own = row.thresholds === null ? defaultSettings : toSettings(row as SettingsRow);
  return { ...own, tierThresholds: tiers.find(tier ?? '')?.thresholds ?? [] };
}

function toSettings(row: SettingsRow): typeof defaultSettings {
  const { thresholds, limitThresholds, keyExpiry, projection } = row;
  const percentages = (text: string) => (text === '' ? [] : text.split(',').map(Number));
  return {
    thresholds: percentages(thresholds),
    limitThresholds: percentages(limitThresholds),
    keyExpiry: keyExpiry === 1,
    projection: projection === 1,
  };
}
