import { type Kysely, sql } from 'kysely';
import { folded, readPage } from '../database/keyset.ts';
import { type Database, toOrganization } from '../database/schema.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import type { WindowRow } from '../quota/decide.ts';
import type { Pace } from '../usage/projection.ts';
import type { RequestsOfDay } from '../usage/reports.ts';
import type { Role } from './access.ts';
import type { Organization } from './organization.ts';

/** The organizations to read: those of a user, a single one, or all. */
export type OverviewOf = {
  readonly userId?: string;
  readonly orgId?: string;
  readonly externalId?: string | undefined;
};

/** What the days and hours of a question are since the Unix epoch. */
export interface FiguresAsked {
  readonly pace: { readonly firstDay: number; readonly endDay: number };
  readonly firstSeriesDay: number;
  readonly firstHourToday: number;
}

/** An organization and what it has used, as stored. */
export interface OrganizationFigures extends Organization, Pace {
  readonly windows: readonly (WindowRow & { readonly kind: string })[];
  readonly lastDay: number | null;
  readonly refusedToday: number;
  /** The membership of the user whose organizations were asked for. */
  readonly role: Role | null;
  /** The owner who became a member first. */
  readonly owner: string | null;
  readonly days: readonly RequestsOfDay[];
  /** When one of its keys was last used, or a person sent a request that is in the log. */
  readonly lastRequestAt: number | null;
}

/** What an organization's row doesn't have. */
const noFigures = {
  firstDay: null,
  counted: 0,
  windows: [],
  lastDay: null,
  refusedToday: 0,
  owner: null,
  days: [],
  lastRequestAt: null,
};

type Listed = Database['organizations'] & { readonly role: Role | null };

/** Reads a page of organizations by an index, and what those on it have used. */
export const overviewIn = (db: Kysely<Database>) => ({
  /** `asked` null: reads no figures, and returns none. */
  async page(
    of: OverviewOf,
    request: PageRequest,
    asked: FiguresAsked | null,
  ): Promise<Page<OrganizationFigures>> {
    const listed = {
      rows: organizationsOf(db, of),
      orders: {
        created: sql.ref(of.userId === undefined ? 'organizations.createdAt' : 'members.createdAt'),
        name: folded('organizations.name'),
      },
      id: sql.ref(of.userId === undefined ? 'organizations.orgId' : 'members.orgId'),
      searched: [folded('organizations.name')],
    };
    const page = await readPage(db, request, listed, (row) => row);
    if (asked === null || page.data.length === 0)
      return { ...page, data: page.data.map((row) => ({ ...toOrganization(row), ...noFigures })) };
    return { ...page, data: await figuresOf(db, page.data, asked) };
  },
});

/** Selects the organizations, those of a user by their memberships. */
function organizationsOf(db: Kysely<Database>, { userId, orgId, externalId }: OverviewOf) {
  return db
    .selectFrom('organizations')
    .leftJoin('members', (join) =>
      join.onRef('members.orgId', '=', 'organizations.orgId').on('members.userId', '=', userId ?? ''),
    )
    .selectAll('organizations')
    .select('members.role')
    .$if(userId !== undefined, (query) => query.where('members.userId', '=', userId!))
    .$if(orgId !== undefined, (query) => query.where('organizations.orgId', '=', orgId!))
    .$if(externalId !== undefined, (query) => query.where('organizations.externalId', '=', externalId!));
}

async function figuresOf(
  db: Kysely<Database>,
  rows: readonly Listed[],
  { pace, firstSeriesDay, firstHourToday }: FiguresAsked,
): Promise<OrganizationFigures[]> {
  const ids = rows.map((row) => row.orgId);
  const ofDays = sql`FROM usage_by_day AS d WHERE d.org_id = organizations.org_id`;
  const figures = await db
    .selectFrom('organizations')
    .select('orgId')
    .select([
      sql<number | null>`(SELECT MIN(d.day) ${ofDays})`.as('firstDay'),
      sql<number | null>`(SELECT MAX(d.day) ${ofDays})`.as('lastDay'),
      sum(sql`SELECT SUM(d.counted) ${ofDays} AND d.day >= ${pace.firstDay} AND d.day < ${pace.endDay}`).as(
        'counted',
      ),
      sum(sql`SELECT SUM(h.requests) FROM usage_hours AS h WHERE h.org_id = organizations.org_id
        AND h.hour >= ${firstHourToday} AND h.error = 'rate_limit_exceeded'`).as('refusedToday'),
      sql<number | null>`(SELECT MAX(last_used_at) FROM api_keys JOIN key_activity USING (key_id)
        WHERE api_keys.org_id = organizations.org_id)`.as('keyUsedAt'),
      sql<number | null>`(SELECT MAX(at) FROM request_log AS r WHERE r.org_id = organizations.org_id)`.as(
        'loggedAt',
      ),
    ])
    .where('orgId', 'in', ids)
    .execute();
  const windows = await db
    .selectFrom('quota_windows')
    .select(['orgId', 'windowKind as kind', 'windowStart as startMs', 'used'])
    .where('orgId', 'in', ids)
    .execute();
  const owners = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .select(['orgId', 'name'])
    .where('orgId', 'in', ids)
    .where('role', '=', 'owner')
    .orderBy('members.createdAt')
    .orderBy('userId')
    .execute();
  const days = await db
    .selectFrom('usage_by_day')
    .select(['orgId', 'day', sql<number>`counted + cached`.as('requests')])
    .where('orgId', 'in', ids)
    .where('day', '>=', firstSeriesDay)
    .execute();
  const byId = new Map(figures.map((one) => [one.orgId, one]));
  // An organization that was deleted meanwhile has no figures.
  return rows.flatMap((row) => {
    const one = byId.get(row.orgId);
    if (!one) return [];
    const { keyUsedAt, loggedAt, ...usage } = one;
    return {
      ...toOrganization(row),
      ...usage,
      role: row.role,
      windows: windows.filter(({ orgId }) => orgId === row.orgId),
      owner: owners.find(({ orgId }) => orgId === row.orgId)?.name ?? null,
      days: days.filter(({ orgId }) => orgId === row.orgId),
      lastRequestAt: Math.max(keyUsedAt ?? 0, loggedAt ?? 0) || null,
    };
  });
}

/** Postgres sums BIGINT as NUMERIC, which it returns as text. */
const sum = (query: ReturnType<typeof sql>) => sql<number>`CAST(COALESCE((${query}), 0) AS BIGINT)`;
