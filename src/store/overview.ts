import { type Kysely, sql } from 'kysely';
import type { OrganizationFigures, OverviewStore } from '../organizations/overview.ts';
import { type Database, toOrganization } from './schema.ts';

type Row = Database['organizations'] & Omit<OrganizationFigures, 'windows' | 'custom'>;

/** Beyond, all windows are read. */
const maxIds = 1_000;

/** Reads what organizations have used, with as few statements as possible. */
export function overviewStore(db: Kysely<Database>): OverviewStore {
  return {
    async figures({ userId, orgId }, { pace, firstSeriesDay, firstHourToday }) {
      const ofDays = sql`FROM usage_by_day AS d WHERE d.org_id = o.org_id`;
      const { rows } = await sql<Row>`
        SELECT o.*, m.role, m.created_at AS joined_at,
          (SELECT MIN(d.day) ${ofDays}) AS first_day,
          (SELECT MAX(d.day) ${ofDays}) AS last_day,
          ${sum(sql`(SELECT SUM(d.counted) ${ofDays} AND d.day >= ${pace.firstDay} AND d.day < ${pace.endDay})`)} AS counted,
          ${sum(sql`(SELECT SUM(d.counted + d.cached) ${ofDays} AND d.day >= ${firstSeriesDay})`)} AS requests,
          ${sum(sql`(SELECT SUM(h.requests) FROM usage_hours AS h WHERE h.org_id = o.org_id
            AND h.hour >= ${firstHourToday} AND h.error = 'rate_limit_exceeded')`)} AS refused_today
        FROM organizations AS o
          ${userId === undefined ? sql`LEFT` : sql``} JOIN members AS m ON m.org_id = o.org_id AND m.user_id = ${userId ?? ''}
        ${orgId === undefined ? sql`` : sql`WHERE o.org_id = ${orgId}`}`.execute(db);
      if (rows.length === 0) return [];
      const ids = rows.map((row) => row.orgId);
      const windows = await db
        .selectFrom('quota_windows')
        .select(['orgId', 'windowKind as kind', 'windowStart as startMs', 'used'])
        .$if(ids.length <= maxIds, (query) => query.where('orgId', 'in', ids))
        .execute();
      const byId = Map.groupBy(windows, (window) => window.orgId);
      return rows.map((row) => ({ ...toOrganization(row), windows: byId.get(row.orgId) ?? [] }));
    },

    async details(orgIds, firstSeriesDay) {
      const owners = await db
        .selectFrom('members')
        .innerJoin('users', 'users.id', 'members.userId')
        .select(['orgId', 'name'])
        .where('orgId', 'in', orgIds)
        .where('role', '=', 'owner')
        .orderBy('members.createdAt')
        .orderBy('userId')
        .execute();
      const days = await db
        .selectFrom('usage_by_day')
        .select(['orgId', 'day', sql<number>`counted + cached`.as('requests')])
        .where('orgId', 'in', orgIds)
        .where('day', '>=', firstSeriesDay)
        .execute();
      const last = await db
        .selectFrom('organizations')
        .select('orgId')
        .select([
          sql<number | null>`(SELECT MAX(last_used_at) FROM api_keys JOIN key_activity USING (key_id)
            WHERE api_keys.org_id = organizations.org_id)`.as('used'),
          sql<number | null>`(SELECT MAX(at) FROM request_log AS r WHERE r.org_id = organizations.org_id)`.as(
            'logged',
          ),
        ])
        .where('orgId', 'in', orgIds)
        .execute();
      const lastOf = (one: (typeof last)[number] | undefined): number =>
        Math.max(one?.used ?? 0, one?.logged ?? 0);
      return orgIds.map((orgId) => ({
        owner: owners.find((one) => one.orgId === orgId)?.name ?? null,
        days: days.filter((one) => one.orgId === orgId),
        lastRequestAt: lastOf(last.find((one) => one.orgId === orgId)) || null,
      }));
    },
  };
}

/** Postgres sums BIGINT as NUMERIC, which it returns as text. */
const sum = (query: ReturnType<typeof sql>) => sql`CAST(COALESCE(${query}, 0) AS BIGINT)`;
