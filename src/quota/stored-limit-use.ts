import { type Kysely, type SqlBool, sql } from 'kysely';
import { readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import type { DatabaseTime } from '../database/sql.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import { limitStandingOf } from './decide.ts';
import { isWindowed, type LimitUnit, type ListedLimit, scopeIdOf } from './limit.ts';
import { standingsOf } from './stored-limits.ts';
import { windowAt, windowKinds } from './window.ts';

export const limitUseList = new PagedList('limits', { orders: { used: 'number' }, defaultSort: '-used' });

/** The owners whose limits a list can be narrowed down to, with the condition on the rows. */
const owners = {
  organization: `limits.key_id IS NULL AND limits.user_id IS NULL AND applies_to = 'requests'`,
  key: 'limits.key_id IS NOT NULL',
  user: 'limits.user_id IS NOT NULL',
  new_keys: `applies_to = 'new_keys'`,
} as const;
export type LimitOwner = keyof typeof owners;
export const limitOwners = Object.keys(owners) as LimitOwner[];

/** Which limits to list. Undefined: any. */
export interface LimitFilter {
  readonly of?: LimitOwner | undefined;
  readonly unit?: LimitUnit | undefined;
  readonly minUsedPercent?: number | undefined;
}

/** A limit of any organization. The names are null if what they name is not there, or not an account. */
export interface LimitUse extends ListedLimit {
  readonly orgId: string;
  readonly orgName: string;
  readonly externalId: string | null;
  readonly keyName: string | null;
  readonly userName: string | null;
}

export const limitUseIn = (db: Kysely<Database>, time: DatabaseTime) => ({
  /**
   * Returns a page of the limits of an organization or, with null, of all, by the share that is used. Throws
   * `invalid_request`.
   */
  async byUse(orgId: string | null, query: PageQuery, filter: LimitFilter = {}): Promise<Page<LimitUse>> {
    const { of, unit, minUsedPercent } = filter;
    const request = limitUseList.request(query, [orgId, JSON.stringify(filter)]);
    const { rows: clock } = await sql<{ nowMs: number }>`SELECT ${time()} AS "nowMs"`.execute(db);
    const [{ nowMs }] = clock as [{ nowMs: number }];
    const share = usedShareAt(nowMs);
    const rows = db
      .selectFrom('limits')
      .innerJoin('organizations', 'organizations.orgId', 'limits.orgId')
      .leftJoin('api_keys', 'api_keys.keyId', 'limits.keyId')
      // Only members have a name here, because an organization can state the id of any account as that of a key's user.
      .leftJoin('members', (join) =>
        join.onRef('members.orgId', '=', 'limits.orgId').onRef('members.userId', '=', 'limits.userId'),
      )
      .leftJoin('users', 'users.id', 'members.userId')
      .selectAll('limits')
      .select(['organizations.name as orgName', 'organizations.externalId'])
      .select(['api_keys.name as keyName', 'users.name as userName'])
      .$if(orgId !== null, (all) => all.where('limits.orgId', '=', orgId!))
      .$if(of !== undefined, (all) => all.where(sql.raw<SqlBool>(owners[of!])))
      .$if(unit !== undefined, (all) => all.where('unit', '=', unit!))
      .$if(minUsedPercent !== undefined, (all) =>
        all.where(share, '>=', minUsedPercent! * millionthsPerCent),
      );
    const orders = { used: share };
    const listed = { rows, orders, id: sql.ref('limits.limitId'), isCounted: false };
    return readPage(db, request, listed, ({ windowKind: window, windowStart: startMs, ...limit }) => ({
      ...limit,
      ...limitStandingOf({ ...limit, window, startMs }, nowMs),
    }));
  },

  /** Returns the limit of each scope that has the largest used share of its window, by the scope's id. */
  async fullest(orgId: string, scopeIds: readonly string[]): Promise<ReadonlyMap<string, ListedLimit>> {
    const limits = scopeIds.length === 0 ? [] : await standingsOf(db, time, orgId, scopeIds);
    // A later entry replaces an earlier one.
    const byShare = limits.filter(isWindowed).toSorted((a, b) => a.used / a.amount - b.used / b.amount);
    return new Map(byShare.map((limit) => [scopeIdOf(limit), limit]));
  },
});

const millionthsPerCent = 10_000;

/**
 * Returns the used share of a limit in millionths, up to a thousand times the limit, because cursors have whole numbers.
 * What was used in a window that has ended doesn't count.
 */
function usedShareAt(nowMs: number) {
  const starts = windowKinds.map(
    (kind) => sql`WHEN ${sql.lit(kind)} THEN CAST(${windowAt(kind, nowMs).startMs} AS BIGINT)`,
  );
  return sql<number>`CASE WHEN window_start >= CASE window_kind ${sql.join(starts, sql` `)} END
    THEN CASE WHEN used / 1000 >= amount THEN 1000000000 ELSE used * 1000000 / amount END ELSE 0 END`;
}
