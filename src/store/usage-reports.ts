import { type Kysely, sql } from 'kysely';
import type { UsageReader } from '../usage/reports.ts';
import type { Database } from './schema.ts';

const figures = ['counted', 'cached', 'failed', 'texts', 'tokens'] as const;
const figureList = sql.join(figures.map((figure) => sql.ref(figure)));
// Postgres sums BIGINT as NUMERIC, which would come out as text.
const sums = sql.join(
  figures.map((figure) => sql`CAST(SUM(${sql.ref(figure)}) AS BIGINT) AS ${sql.ref(figure)}`),
);

type Days = { readonly firstDay: number; readonly endDay: number };
type Figures = Record<(typeof figures)[number], number>;

/** Reads usage: sums where there are any, and each key's each day where there are none. */
export function usageReports(db: Kysely<Database>): Omit<UsageReader, 'snapshot'> {
  /** What of `days` the sums cover, as whole months, and what is left. */
  const covered = async (orgId: string, days: Days): Promise<{ months: number[]; rest: Days[] }> => {
    const rows = await db
      .selectFrom('usage_rolled')
      .select('first_day')
      .where('org_id', '=', orgId)
      .where('first_day', '>=', days.firstDay)
      .where('first_day', '<', days.endDay)
      // Records have come late: the sums have to be made again.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('usage_rolling')
              .select('usage_rolling.org_id')
              .whereRef('usage_rolling.org_id', '=', 'usage_rolled.org_id')
              .whereRef('usage_rolling.first_day', '=', 'usage_rolled.first_day'),
          ),
        ),
      )
      .orderBy('first_day')
      .execute();
    const months = rows.map(({ first_day }) => first_day).filter((day) => endOfMonth(day) <= days.endDay);
    return { months, rest: without(days, months) };
  };

  return {
    async rows(orgId, firstDay, endDay) {
      const rows = await db
        .selectFrom('usage_daily')
        .select(['key_id', 'day', ...figures])
        .where('org_id', '=', orgId)
        .where('day', '>=', firstDay)
        .where('day', '<', endDay)
        .orderBy('day')
        .orderBy('key_id')
        .execute();
      return rows.map(({ key_id, ...row }) => ({ keyId: key_id, ...row }));
    },

    async totalsByKey(orgId, firstDay, endDay) {
      const { months, rest } = await covered(orgId, { firstDay, endDay });
      const parts = rest.map(
        (days) => sql`SELECT key_id, ${figureList} FROM usage_daily
          WHERE org_id = ${orgId} AND day >= ${days.firstDay} AND day < ${days.endDay}`,
      );
      if (months.length > 0) {
        parts.push(sql`SELECT key_id, ${figureList} FROM usage_monthly
          WHERE org_id = ${orgId} AND first_day IN (${sql.join(months)})`);
      }
      if (parts.length === 0) return [];
      const { rows } = await sql<Figures & { key_id: string }>`
        SELECT key_id, ${sums} FROM (${sql.join(parts, sql` UNION ALL `)}) AS part
        GROUP BY key_id ORDER BY key_id`.execute(db);
      return rows.map(({ key_id, ...totals }) => ({ keyId: key_id, ...totals }));
    },

    async totalsByDay(orgId, firstDay, endDay, keyId) {
      const { months, rest } =
        keyId === null
          ? await covered(orgId, { firstDay, endDay })
          : { months: [], rest: [{ firstDay, endDay }] };
      const ofKey = keyId === null ? sql`` : sql`AND key_id = ${keyId}`;
      const parts = rest.map(
        (days) => sql`SELECT day, ${sums} FROM usage_daily
          WHERE org_id = ${orgId} AND day >= ${days.firstDay} AND day < ${days.endDay} ${ofKey} GROUP BY day`,
      );
      for (const first of months) {
        parts.push(sql`SELECT day, ${figureList} FROM usage_by_day
          WHERE org_id = ${orgId} AND day >= ${first} AND day < ${endOfMonth(first)}`);
      }
      if (parts.length === 0) return [];
      const { rows } = await sql<Figures & { day: number }>`
        SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS part ORDER BY day`.execute(db);
      return rows;
    },

    async paces(orgIds, firstDay, endDay) {
      if (orgIds.length === 0) return [];
      const rows = await db
        .selectFrom('organizations')
        .select('org_id')
        .select((eb) => [
          eb
            .selectFrom('usage_daily')
            .select(sql<number | null>`MIN(day)`.as('day'))
            .whereRef('usage_daily.org_id', '=', 'organizations.org_id')
            .as('first_day'),
          eb
            .selectFrom('usage_daily')
            .select(sql<number>`CAST(COALESCE(SUM(counted), 0) AS BIGINT)`.as('counted'))
            .whereRef('usage_daily.org_id', '=', 'organizations.org_id')
            .where('day', '>=', firstDay)
            .where('day', '<', endDay)
            .as('counted'),
        ])
        .where('org_id', 'in', orgIds)
        .execute();
      return rows.map(({ org_id, first_day, counted }) => ({
        orgId: org_id,
        firstDay: first_day,
        counted: counted ?? 0,
      }));
    },
  };
}

/** The day after the last of the month that begins on `firstDay`; days are since the Unix epoch. */
function endOfMonth(firstDay: number): number {
  const date = new Date(firstDay * 86_400_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 86_400_000;
}

function without(days: Days, months: readonly number[]): Days[] {
  const rest: Days[] = [];
  let from = days.firstDay;
  for (const month of months) {
    if (month > from) rest.push({ firstDay: from, endDay: month });
    from = endOfMonth(month);
  }
  if (from < days.endDay) rest.push({ firstDay: from, endDay: days.endDay });
  return rest;
}
