import { type Kysely, sql } from 'kysely';
import { folded, readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import { monthDays } from '../quota/window.ts';
import type { Unit } from './period.ts';
import type { Pace } from './projection.ts';
import {
  type Activity,
  type CallerTotals,
  type DayTotals,
  type KeyTotals,
  type ModelTotals,
  noUsage,
  type OrganizationTotals,
  type RequestsOfDay,
  type Senders,
  type UsageRow,
  type UsageTotals,
} from './reports.ts';
import { figureList, recordsBy, sentBy, summedFigures } from './usage-columns.ts';

type Days = { readonly firstDay: number; readonly endDay: number };

/** Reads usage from the sums of whole months and of days, and from the records of the other days. */
export function usageReports(db: Kysely<Database>) {
  const sumsBy = async <Totals>(
    name: 'key_id' | 'model',
    orgId: string,
    days: Days,
    keyIds: Senders,
    unit: Unit = 'day',
  ): Promise<Totals[]> => {
    const column = sql.ref(name);
    // Nothing of the hours is in the sums of months.
    const months = unit === 'hour' ? { firstDay: days.endDay, endDay: days.endDay } : wholeMonths(days);
    const { rows } = await sql<Totals>`
      SELECT ${column}, ${summedFigures} FROM (
        SELECT ${column}, ${figureList} FROM usage_monthly
        WHERE org_id = ${orgId} AND first_day >= ${months.firstDay} AND first_day < ${months.endDay} ${sentBy(keyIds)}
        UNION ALL SELECT ${column}, ${figureList} FROM ${recordsBy(unit)}
        WHERE org_id = ${orgId} AND day >= ${days.firstDay} AND day < ${months.firstDay} ${sentBy(keyIds)}
        UNION ALL SELECT ${column}, ${figureList} FROM usage_records
        WHERE org_id = ${orgId} AND day >= ${months.endDay} AND day < ${days.endDay} ${sentBy(keyIds)}
      ) AS part
      GROUP BY ${column} ORDER BY ${column}`.execute(db);
    return rows;
  };

  return {
    /** Returns the senders whose usage is a user's: the user, and the keys that are theirs. */
    async sendersOf(orgId: string, userId: string): Promise<string[]> {
      const own = db.selectFrom('api_keys').select('keyId').where('userId', '=', userId);
      return [userId, ...(await own.where('orgId', '=', orgId).execute()).map(({ keyId }) => keyId)];
    },

    /**
     * Returns the organization's rows with `firstDay` ≤ day < `endDay`, ordered by day, key and model. Includes revoked
     * keys. With the unit `hour`, the days of this and the next two are hours.
     */
    async rows(orgId: string, firstDay: number, endDay: number, unit: Unit = 'day'): Promise<UsageRow[]> {
      const { rows } = await sql<UsageRow>`SELECT key_id, day, model, ${summedFigures} FROM ${recordsBy(unit)}
        WHERE org_id = ${orgId} AND day >= ${firstDay} AND day < ${endDay}
        GROUP BY day, key_id, model ORDER BY day, key_id, model`.execute(db);
      return rows;
    },

    /** Returns the organization's usage with `firstDay` ≤ day < `endDay`, summed by key. */
    async totalsByKey(orgId: string, firstDay: number, endDay: number, unit?: Unit): Promise<KeyTotals[]> {
      return sumsBy<KeyTotals>('key_id', orgId, { firstDay, endDay }, null, unit);
    },

    /** Returns the usage of some senders, summed by model. */
    async totalsByModel(
      orgId: string,
      firstDay: number,
      endDay: number,
      keyIds: Senders,
      unit?: Unit,
    ): Promise<ModelTotals[]> {
      return sumsBy<ModelTotals>('model', orgId, { firstDay, endDay }, keyIds, unit);
    },

    /**
     * Returns the usage of some models since a day, summed by key: of one organization or, if `orgId` is null, of all.
     * Ordered by requests, most first; at most `limit` rows.
     */
    async callersOf(
      models: readonly string[],
      {
        orgId,
        firstDay,
        limit,
      }: { readonly orgId: string | null; readonly firstDay: number; readonly limit: number },
    ): Promise<CallerTotals[]> {
      if (models.length === 0) return [];
      const ofOrganization = orgId === null ? sql`` : sql`AND o.org_id = ${orgId}`;
      // CROSS: SQLite then looks into the days of each organization, instead of reading all usage.
      const { rows } = await sql<CallerTotals>`
        SELECT o.org_id, o.name AS org_name, u.key_id, u.model, MAX(u.day) AS last_day, ${summedFigures},
          (SELECT name FROM api_keys WHERE api_keys.key_id = u.key_id) AS key_name
        FROM organizations AS o CROSS JOIN usage_records AS u
        WHERE u.org_id = o.org_id AND u.day >= ${firstDay} AND u.model IN (${sql.join(models)}) ${ofOrganization}
        GROUP BY o.org_id, o.name, u.key_id, u.model
        ORDER BY SUM(counted + cached + failed) DESC, o.org_id, u.key_id, u.model LIMIT ${limit}`.execute(db);
      return rows;
    },

    /**
     * Returns the usage of some senders with `firstDay` ≤ day < `endDay`, summed by day.
     * Omits days without a row.
     */
    async totalsByDay(
      orgId: string,
      firstDay: number,
      endDay: number,
      keyIds: Senders,
    ): Promise<DayTotals[]> {
      const ofDays = sql`org_id = ${orgId} AND day >= ${firstDay} AND day < ${endDay}`;
      const { rows } = await (keyIds === null
        ? sql<DayTotals>`SELECT day, ${figureList} FROM usage_by_day WHERE ${ofDays} ORDER BY day`
        : sql<DayTotals>`SELECT day, ${summedFigures} FROM usage_records
            WHERE ${ofDays} ${sentBy(keyIds)} GROUP BY day ORDER BY day`
      ).execute(db);
      return rows;
    },

    /** Returns a page of all organizations with their usage of some days, also of those without any. */
    async organizations(request: PageRequest, { firstDay, endDay }: Days): Promise<Page<OrganizationTotals>> {
      const name = folded('name');
      const rows = db.selectFrom('organizations').select(['orgId', 'externalId', 'name', 'tier']);
      const orders = { created: sql.ref('createdAt'), name };
      const listed = { rows, orders, id: sql.ref('orgId'), searched: [name] };
      const page = await readPage(db, request, listed, (row) => row);
      const ids = page.data.map(({ orgId }) => orgId);
      if (ids.length === 0) return { ...page, data: [] };
      const { rows: sums } = await sql<UsageTotals & { orgId: string }>`
        SELECT org_id, ${summedFigures} FROM usage_by_day
        WHERE org_id IN (${sql.join(ids)}) AND day >= ${firstDay} AND day < ${endDay} GROUP BY org_id`.execute(
        db,
      );
      const byId = new Map(sums.map((sum) => [sum.orgId, sum]));
      return { ...page, data: page.data.map((row) => ({ ...noUsage, ...byId.get(row.orgId), ...row })) };
    },

    /** Returns the requests with a result of some keys on some days, in any order. Omits days without a row. */
    requestsOfKeys(
      orgId: string,
      keyIds: readonly string[],
      days: readonly number[],
    ): Promise<(RequestsOfDay & { readonly keyId: string })[]> {
      if (keyIds.length === 0) return Promise.resolve([]);
      return (
        db
          .selectFrom('usage_records')
          .select(['keyId', 'day', sql<number>`CAST(SUM(counted + cached) AS BIGINT)`.as('requests')])
          .where('orgId', '=', orgId)
          // Each day by itself, because the primary key has the day before the key.
          .where('day', 'in', days)
          .where('keyId', 'in', keyIds)
          .groupBy(['keyId', 'day'])
          .execute()
      );
    },

    /** Returns what an open page of the organization has to know. `userId`: who has it open. Null: not a person. */
    async activity(orgId: string, userId: string | null): Promise<Activity> {
      const { rows } = await sql<Activity>`
        SELECT COUNT(*) AS open_alerts, MAX(raised_at_ms) AS last_alert_at,
          (SELECT MAX(at) FROM request_log WHERE org_id = ${orgId}) AS last_request_at,
          (SELECT 1 FROM usage_by_day WHERE org_id = ${orgId} AND counted + cached > 0 LIMIT 1) IS NOT NULL AS has_requests,
          (SELECT 1 FROM key_activity WHERE key_id = ${userId} OR key_id IN
            (SELECT key_id FROM api_keys WHERE user_id = ${userId} AND org_id = ${orgId}) LIMIT 1) IS NOT NULL AS has_own_requests
        FROM alerts WHERE org_id = ${orgId} AND acknowledged_at_ms IS NULL`.execute(db);
      const [found] = rows as [Activity];
      return { ...found, hasRequests: !!found.hasRequests, hasOwnRequests: !!found.hasOwnRequests };
    },

    /**
     * Returns the figures that forecasts are based on, from days with `firstDay` ≤ day < `endDay`. Omits organizations
     * that don't exist.
     */
    async paces(orgIds: readonly string[], firstDay: number, endDay: number): Promise<Pace[]> {
      if (orgIds.length === 0) return [];
      const rows = await db
        .selectFrom('organizations')
        .select('orgId')
        .select((eb) => [
          eb
            .selectFrom('usage_by_day')
            .select(sql<number | null>`MIN(day)`.as('day'))
            .whereRef('usage_by_day.orgId', '=', 'organizations.orgId')
            .as('firstDay'),
          eb
            .selectFrom('usage_by_day')
            .select(sql<number>`CAST(COALESCE(SUM(counted), 0) AS BIGINT)`.as('counted'))
            .whereRef('usage_by_day.orgId', '=', 'organizations.orgId')
            .where('day', '>=', firstDay)
            .where('day', '<', endDay)
            .as('counted'),
        ])
        .where('orgId', 'in', orgIds)
        .execute();
      return rows.map((row) => ({ ...row, counted: row.counted ?? 0 }));
    },
  };
}

/**
 * Returns the first day of the first month within the days, and the day after the last one. Both equal if there is
 * none.
 */
function wholeMonths({ firstDay, endDay }: Days): Days {
  const first = firstOfMonth(firstDay);
  const begin = first === firstDay ? first : monthDays(firstDay * dayMs).endDay;
  if (begin >= endDay) return { firstDay: endDay, endDay };
  return { firstDay: begin, endDay: Math.max(begin, firstOfMonth(endDay)) };
}

const dayMs = 86_400_000;
const firstOfMonth = (day: number): number => monthDays(day * dayMs).firstDay;
