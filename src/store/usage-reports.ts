import { type Kysely, sql } from 'kysely';
import type { DayTotals, KeyTotals, ModelTotals, UsageReader } from '../usage/reports.ts';
import type { Database } from './schema.ts';
import { figureList, summedFigures, usageFigures } from './sql.ts';

type Days = { readonly firstDay: number; readonly endDay: number };

/** Reads usage from the sums of months, and from the daily rows where there are no sums. */
export function usageReports(db: Kysely<Database>): Omit<UsageReader, 'snapshot'> {
  /** Divides `days` into the months that have sums, and the rest. */
  const covered = async (orgId: string, days: Days): Promise<{ months: number[]; rest: Days[] }> => {
    const rows = await db
      .selectFrom('usage_rolled')
      .select('firstDay')
      .where('orgId', '=', orgId)
      .where('firstDay', '>=', days.firstDay)
      .where('firstDay', '<', days.endDay)
      // Late records have arrived, so the sums are outdated.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('usage_rolling')
              .select('usage_rolling.orgId')
              .whereRef('usage_rolling.orgId', '=', 'usage_rolled.orgId')
              .whereRef('usage_rolling.firstDay', '=', 'usage_rolled.firstDay'),
          ),
        ),
      )
      .orderBy('firstDay')
      .execute();
    const months = rows.map(({ firstDay }) => firstDay).filter((day) => endOfMonth(day) <= days.endDay);
    return { months, rest: without(days, months) };
  };

  const sumsBy = async <Totals>(
    name: 'key_id' | 'model',
    orgId: string,
    period: Days,
    keyId: string | null,
  ): Promise<Totals[]> => {
    const { months, rest } = await covered(orgId, period);
    const column = sql.ref(name);
    const ofKey = keyId === null ? sql`` : sql`AND key_id = ${keyId}`;
    const parts = rest.map(
      (days) => sql`SELECT ${column}, ${figureList} FROM usage_records
        WHERE org_id = ${orgId} AND day >= ${days.firstDay} AND day < ${days.endDay} ${ofKey}`,
    );
    if (months.length > 0) {
      parts.push(sql`SELECT ${column}, ${figureList} FROM usage_monthly
        WHERE org_id = ${orgId} AND first_day IN (${sql.join(months)}) ${ofKey}`);
    }
    if (parts.length === 0) return [];
    const { rows } = await sql<Totals>`
      SELECT ${column}, ${summedFigures} FROM (${sql.join(parts, sql` UNION ALL `)}) AS part
      GROUP BY ${column} ORDER BY ${column}`.execute(db);
    return rows;
  };

  return {
    rows(orgId, firstDay, endDay) {
      return db
        .selectFrom('usage_records')
        .select(['keyId', 'day', 'model', ...usageFigures])
        .where('orgId', '=', orgId)
        .where('day', '>=', firstDay)
        .where('day', '<', endDay)
        .orderBy('day')
        .orderBy('keyId')
        .orderBy('model')
        .execute();
    },

    async totalsByKey(orgId, firstDay, endDay) {
      return sumsBy<KeyTotals>('key_id', orgId, { firstDay, endDay }, null);
    },

    async totalsByModel(orgId, firstDay, endDay, keyId) {
      return sumsBy<ModelTotals>('model', orgId, { firstDay, endDay }, keyId);
    },

    async totalsByDay(orgId, firstDay, endDay, keyId) {
      const { months, rest } =
        keyId === null
          ? await covered(orgId, { firstDay, endDay })
          : { months: [], rest: [{ firstDay, endDay }] };
      const ofKey = keyId === null ? sql`` : sql`AND key_id = ${keyId}`;
      const parts = rest.map(
        (days) => sql`SELECT day, ${summedFigures} FROM usage_records
          WHERE org_id = ${orgId} AND day >= ${days.firstDay} AND day < ${days.endDay} ${ofKey} GROUP BY day`,
      );
      for (const first of months) {
        parts.push(sql`SELECT day, ${figureList} FROM usage_by_day
          WHERE org_id = ${orgId} AND day >= ${first} AND day < ${endOfMonth(first)}`);
      }
      if (parts.length === 0) return [];
      const { rows } = await sql<DayTotals>`
        SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS part ORDER BY day`.execute(db);
      return rows;
    },

    async paces(orgIds, firstDay, endDay) {
      if (orgIds.length === 0) return [];
      const rows = await db
        .selectFrom('organizations')
        .select('orgId')
        .select((eb) => [
          eb
            .selectFrom('usage_records')
            .select(sql<number | null>`MIN(day)`.as('day'))
            .whereRef('usage_records.orgId', '=', 'organizations.orgId')
            .as('firstDay'),
          eb
            .selectFrom('usage_records')
            .select(sql<number>`CAST(COALESCE(SUM(counted), 0) AS BIGINT)`.as('counted'))
            .whereRef('usage_records.orgId', '=', 'organizations.orgId')
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

/** Returns the first day of the month after the one that begins on `firstDay`. */
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
