import { type Kysely, sql } from 'kysely';
import type {
  OrganizationDetails,
  OrganizationFigures,
  OverviewOf,
  OverviewStore,
} from '../organizations/overview.ts';
import { type Database, toOrganization } from './schema.ts';

type Row = Database['organizations'] & Omit<OrganizationFigures, 'windows' | 'custom'>;

/** Reads what organizations have used, each with as few statements as its primary keys allow. */
export function overviewStore(db: Kysely<Database>): OverviewStore {
  return {
    async figures(of, { pace, firstSeriesDay, firstHourToday }, after, limit) {
      const { join, where, role } = chosen(of);
      const ofDays = sql`FROM usage_by_day AS d WHERE d.org_id = o.org_id`;
      const { rows } = await sql<Row>`
        SELECT o.*, ${role} AS role,
          (SELECT MIN(d.day) ${ofDays}) AS first_day,
          (SELECT MAX(d.day) ${ofDays}) AS last_day,
          ${sum(sql`(SELECT SUM(d.counted) ${ofDays} AND d.day >= ${pace.firstDay} AND d.day < ${pace.endDay})`)} AS counted,
          ${sum(sql`(SELECT SUM(d.counted + d.cached) ${ofDays} AND d.day >= ${firstSeriesDay})`)} AS requests,
          ${sum(sql`(SELECT SUM(h.requests) FROM usage_hours AS h WHERE h.org_id = o.org_id
            AND h.hour >= ${firstHourToday} AND h.error = 'rate_limit_exceeded')`)} AS refused_today
        FROM organizations AS o ${join}
        WHERE o.org_id > ${after} ${where} ORDER BY o.org_id LIMIT ${limit}`.execute(db);
      if (rows.length === 0) return [];
      const windows = await db
        .selectFrom('quota_windows')
        .select(['orgId', 'windowKind as kind', 'windowStart as startMs', 'used'])
        .where('orgId', '>=', rows[0]!.orgId)
        .where('orgId', '<=', rows.at(-1)!.orgId)
        .$if(typeof of === 'object', (query) =>
          query.where(
            'orgId',
            'in',
            rows.map(({ orgId }) => orgId),
          ),
        )
        .execute();
      const byId = Map.groupBy(windows, ({ orgId }) => orgId);
      return rows.map(({ firstDay, lastDay, counted, requests, refusedToday, role, ...row }) => ({
        ...toOrganization(row),
        firstDay,
        lastDay,
        counted,
        requests,
        refusedToday,
        role,
        windows: byId.get(row.orgId) ?? [],
      }));
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
      const used = await db
        .selectFrom('api_keys')
        .innerJoin('key_activity', 'key_activity.keyId', 'api_keys.keyId')
        .select(['orgId', (eb) => eb.fn.max<number>('lastUsedAt').as('keyUsedAt')])
        .where('orgId', 'in', orgIds)
        .groupBy('orgId')
        .execute();
      const daysById = Map.groupBy(days, ({ orgId }) => orgId);
      const detailsOf = (orgId: string): OrganizationDetails => ({
        owner: owners.find((owner) => owner.orgId === orgId)?.name ?? null,
        days: daysById.get(orgId) ?? [],
        keyUsedAt: used.find((one) => one.orgId === orgId)?.keyUsedAt ?? null,
      });
      return new Map(orgIds.map((orgId) => [orgId, detailsOf(orgId)]));
    },
  };
}

/** Postgres sums BIGINT as NUMERIC, which it returns as text. */
const sum = (query: ReturnType<typeof sql>) => sql`CAST(COALESCE(${query}, 0) AS BIGINT)`;

function chosen(of: OverviewOf) {
  const all = { join: sql``, where: sql``, role: sql`NULL` };
  if (of === 'all') return all;
  if ('orgIds' in of) return { ...all, where: sql`AND o.org_id IN (${sql.join(of.orgIds)})` };
  const join = sql`JOIN members AS m ON m.org_id = o.org_id AND m.user_id = ${of.userId}`;
  return { ...all, join, role: sql`m.role` };
}
