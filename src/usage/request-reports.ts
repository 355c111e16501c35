import { type Kysely, type RawBuilder, sql } from 'kysely';
import { readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import { noLatency } from './latency.ts';
import { boundsOf } from './period.ts';
import {
  type GroupQuestion,
  type GroupTotals,
  type HistogramPart,
  type HourlyReport,
  type HourlyTotals,
  type HoursQuestion,
  lookupNumbers,
  type NamedEntry,
  type RequestFilter,
} from './request-log.ts';
import { recordsBy, sentBy, summedFigures } from './usage-columns.ts';

const id = sql.ref('tie');
/** A session's usage has the user in the place of the key. */
const groupNames = {
  key: sql.ref('key_id'),
  model: sql.ref('model'),
  user: sql`COALESCE((SELECT user_id FROM api_keys WHERE api_keys.key_id = records.key_id), key_id)`,
};
/** Groups of a report that have a series of their own. */
const maxGroups = 5;

/** Reads the request log and the usage by hour. Of the log, an organization that is null means all of them. */
export function requestReports(db: Kysely<Database>) {
  const entries = db
    .selectFrom('request_log')
    .selectAll()
    .select([
      sql<string | null>`(SELECT name FROM api_keys WHERE api_keys.key_id = request_log.key_id)`.as(
        'keyName',
      ),
      sql<string | null>`(SELECT name FROM organizations AS o WHERE o.org_id = request_log.org_id)`.as(
        'orgName',
      ),
    ]);
  return {
    page(orgId: string | null, filter: RequestFilter, request: PageRequest): Promise<Page<NamedEntry>> {
      const rows = entries.where(sql<boolean>`${matching(orgId, filter)}`);
      // A sum keeps the database from reading all entries in their order to find those with the id.
      const orders = { at: filter.requestId === undefined ? sql.ref('at') : sql`at + 0` };
      return readPage(
        db,
        request,
        { rows, orders, id, isCounted: false },
        ({ id: _id, lookup: _lookup, tie, ...row }) => ({
          ...row,
          entryId: `${row.at}-${tie}`,
        }),
      );
    },

    /** Counts the requests of the filter by their distance to `filter.fromMs`, in units of `bucketMs`, and by outcome. */
    async histogram(orgId: string | null, filter: RequestFilter, bucketMs: number): Promise<HistogramPart[]> {
      const bucket = sql`(at - CAST(${filter.fromMs ?? 0} AS BIGINT)) / CAST(${bucketMs} AS BIGINT)`;
      const { rows } = await sql<HistogramPart>`SELECT ${bucket} AS bucket, outcome, COUNT(*) AS requests
        FROM request_log WHERE ${matching(orgId, filter)} GROUP BY 1, 2`.execute(db);
      return rows;
    },

    /** Returns the time of the newest entry that is beyond `maxRows`. Undefined: there is none. */
    async excessAt(orgId: string, maxRows: number): Promise<number | undefined> {
      const { rows } = await sql<{ at: number }>`SELECT at FROM request_log WHERE org_id = ${orgId}
        ORDER BY at DESC LIMIT 1 OFFSET ${maxRows}`.execute(db);
      return rows[0]?.at;
    },

    async hours(
      orgId: string,
      { firstHour, endHour, keyIds, hoursPerPlace }: HoursQuestion,
    ): Promise<HourlyReport> {
      const of = sql`org_id = ${orgId} AND hour >= ${firstHour} AND hour < ${endHour} ${sentBy(keyIds)}`;
      const place = sql`hour / CAST(${hoursPerPlace} AS BIGINT)`;
      const [series, latencies, errors] = [
        await sql<HourlyTotals & { place: number }>`SELECT day / CAST(${hoursPerPlace} AS BIGINT) AS place,
          ${summedFigures} FROM ${recordsBy('hour')} WHERE org_id = ${orgId} AND day >= ${firstHour} AND day < ${endHour} ${sentBy(keyIds)}
          GROUP BY 1 ORDER BY 1`.execute(db),
        await sql<HourlyReport['latencies'][number]>`SELECT ${place} AS place, latency_class,
          CAST(SUM(requests) AS BIGINT) AS requests
          FROM usage_hours WHERE ${of} AND outcome IN ('counted', 'cached') AND latency_class <> ${noLatency} GROUP BY 1, 2`.execute(
          db,
        ),
        await sql<HourlyReport['errors'][number]>`SELECT error, CAST(SUM(requests) AS BIGINT) AS requests
          FROM usage_hours WHERE ${of} AND error <> '' GROUP BY error ORDER BY 2 DESC, error`.execute(db),
      ];
      return { series: series.rows, latencies: latencies.rows, errors: errors.rows };
    },

    async groups(orgId: string, { by, keyIds, isHourly, ...period }: GroupQuestion): Promise<GroupTotals[]> {
      const name = groupNames[by];
      const { first, end, unit } = boundsOf(period, isHourly ? 'hour' : 'day');
      const table = recordsBy(unit);
      const of = sql`org_id = ${orgId} AND day >= ${first} AND day < ${end} ${sentBy(keyIds)}`;
      const { rows: most } = await sql<{ name: string }>`SELECT ${name} AS name FROM ${table} WHERE ${of}
        GROUP BY ${name} ORDER BY SUM(counted + cached + failed) DESC, ${name} LIMIT ${sql.lit(maxGroups)}`.execute(
        db,
      );
      if (most.length === 0) return [];
      const names = most.map((group) => group.name);
      const { rows } = await sql<GroupTotals>`SELECT
        CASE WHEN ${name} IN (${sql.join(names)}) THEN ${name} END AS name, day AS place, ${summedFigures}
        FROM ${table} WHERE ${of} GROUP BY 1, 2 ORDER BY 2`.execute(db);
      // Most requests first, and the others last.
      const rankOf = (group: string | null) => (group === null ? names.length : names.indexOf(group));
      return rows.sort((a, b) => rankOf(a.name) - rankOf(b.name));
    },
  };
}

export type RequestLogReader = ReturnType<typeof requestReports>;

function matching(orgId: string | null, filter: RequestFilter): RawBuilder<unknown> {
  const { outcome, model, status, minLatencyMs, fromMs, toMs, userId } = filter;
  const conditions = [
    whose(orgId, filter),
    outcome !== undefined && sql`outcome = ${outcome}`,
    model !== undefined && sql`model = ${model}`,
    status !== undefined && sql`status = ${status}`,
    minLatencyMs !== undefined && sql`latency_ms >= ${minLatencyMs}`,
    fromMs !== undefined && sql`at >= ${fromMs}`,
    toMs !== undefined && sql`at < ${toMs}`,
    userId !== undefined && ofUser(userId, filter),
  ].filter((condition) => condition !== false);
  return sql.join(conditions, sql` AND `);
}

/**
 * Returns the condition for an index. A concatenation keeps SQLite from another index, which would read more entries.
 */
function whose(orgId: string | null, { keyId, requestId }: RequestFilter): RawBuilder<unknown> {
  const ofOrganization = orgId === null ? sql`` : sql`AND org_id || '' = ${orgId}`;
  if (requestId !== undefined) {
    const ofKey = keyId === undefined ? sql`` : sql`AND key_id || '' = ${keyId}`;
    const [first, last] = lookupNumbers(orgId, requestId);
    const found = first === last ? sql`lookup = ${first}` : sql`lookup >= ${first} AND lookup <= ${last}`;
    return sql`${found} AND request_id = ${requestId} ${ofOrganization} ${ofKey}`;
  }
  if (keyId === undefined) return orgId === null ? sql`at >= 0` : sql`org_id = ${orgId}`;
  if (orgId === null) return sql`key_id = ${keyId}`;
  // The index of a key's requests doesn't have the organization, so no entry of another organization's key is read.
  return sql`key_id = ${keyId} ${ofOrganization}
    AND EXISTS (SELECT 1 FROM api_keys WHERE key_id = ${keyId} AND org_id = ${orgId})`;
}

/** Entries of another organization's keys of the same user are left out by the condition on the organization. */
function ofUser(userId: string, { isOfKeys }: RequestFilter): RawBuilder<unknown> {
  const ofKeys = sql`key_id IN (SELECT key_id FROM api_keys WHERE user_id = ${userId})`;
  return isOfKeys ? ofKeys : sql`(${ofKeys} OR user_id = ${userId})`;
}
