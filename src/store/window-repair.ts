import { type Kysely, sql } from 'kysely';
import { dayOf, monthDays, windowAt, windowKinds } from '../quota/window.ts';
import type { FutureWindow, RepairedWindow, WindowRepairStore } from '../quota/window-repair.ts';
import type { Dialect } from './migrations/migration.ts';
import type { Database } from './schema.ts';
import { addedFigures, type DatabaseTime, figureList, summedFigures } from './sql.ts';

export function windowRepairStore(
  db: Kysely<Database>,
  dialect: Dialect,
  time: DatabaseTime,
): WindowRepairStore {
  return {
    async future(limit) {
      const nowMs = await timeIn(db, time);
      const orgIds = db.selectFrom(futureWindows(db, nowMs).as('any')).select('orgId').distinct();
      const windows = await futureWindows(db, nowMs)
        .where('future.orgId', 'in', orgIds.orderBy('orgId').limit(limit))
        .execute();
      return { nowMs, windows };
    },

    repair(orgId) {
      return db.transaction().execute(async (transaction) => {
        // On Postgres, flushes and usage records of the organization wait for these locks.
        const lock = dialect === 'postgres' ? sql`FOR NO KEY UPDATE` : sql``;
        await sql`SELECT org_id FROM organizations WHERE org_id = ${orgId} ${lock}`.execute(transaction);
        await sql`SELECT used FROM quota_windows WHERE org_id = ${orgId} AND window_kind = 'month' ${lock}`.execute(
          transaction,
        );
        const nowMs = await timeIn(transaction, time);
        const windows = await futureWindows(transaction, nowMs).where('future.orgId', '=', orgId).execute();
        await moveRecords(transaction, orgId, nowMs);
        const repaired: RepairedWindow[] = [];
        for (const window of windows) repaired.push(await moveWindow(transaction, window, nowMs));
        return repaired;
      });
    },
  };
}

async function timeIn(db: Kysely<Database>, time: DatabaseTime): Promise<number> {
  const { rows } = await sql<{ nowMs: number }>`SELECT ${time()} AS now_ms`.execute(db);
  return rows[0]!.nowMs;
}

/** Selects the future windows: for each organization those of the quota, then those of limits. */
function futureWindows(db: Kysely<Database>, nowMs: number) {
  const ofQuota = db
    .selectFrom('quota_windows')
    .select(['orgId', 'windowKind as window', 'windowStart as startMs', 'used'])
    .select(sql<string | null>`NULL`.as('limitId'))
    .where(isFuture(nowMs));
  const ofLimits = db
    .selectFrom('limits')
    .select(['orgId', 'windowKind as window', 'windowStart as startMs', 'used', 'limitId'])
    .where(isFuture(nowMs));
  // With COALESCE, because the databases sort null differently.
  return db
    .selectFrom(ofQuota.unionAll(ofLimits).as('future'))
    .innerJoin('organizations', 'organizations.orgId', 'future.orgId')
    .select(['future.orgId', 'name', 'window', 'startMs', 'used', 'limitId'])
    .orderBy('future.orgId')
    .orderBy(sql`COALESCE(limit_id, '')`)
    .orderBy('startMs');
}

function isFuture(nowMs: number) {
  const kinds = windowKinds.map(
    (kind) => sql<boolean>`(window_kind = ${kind} AND window_start > ${windowAt(kind, nowMs).startMs})`,
  );
  return sql<boolean>`(${sql.join(kinds, sql` OR `)})`;
}

/**
 * Moves records of later days to today. Their requests came while the clock was ahead, or since; the true day is
 * unknown.
 */
async function moveRecords(db: Kysely<Database>, orgId: string, nowMs: number): Promise<void> {
  const today = dayOf(nowMs);
  const later = sql`org_id = ${orgId} AND day > ${today}`;
  await sql`INSERT INTO usage_records (org_id, key_id, day, model, ${figureList})
    SELECT org_id, key_id, CAST(${today} AS BIGINT), model, ${summedFigures} FROM usage_records WHERE ${later}
    GROUP BY org_id, key_id, model
    ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET ${addedFigures('usage_records')}`.execute(db);
  await sql`DELETE FROM usage_records WHERE ${later}`.execute(db);
  // Sums of months that have not ended are wrong now. They are made again after the months end.
  for (const table of ['usage_rolled', 'usage_rolling'] as const) {
    await db.deleteFrom(table).where('orgId', '=', orgId).where('endDay', '>', today).execute();
  }
  await db
    .updateTable('key_activity')
    .set({ lastUsedAt: nowMs })
    .where('lastUsedAt', '>', nowMs)
    .where('keyId', 'in', (keys) => keys.selectFrom('api_keys').select('keyId').where('orgId', '=', orgId))
    .execute();
}

async function moveWindow(
  db: Kysely<Database>,
  window: FutureWindow,
  nowMs: number,
): Promise<RepairedWindow> {
  const newStartMs = windowAt(window.window, nowMs).startMs;
  if (window.limitId !== null) {
    await db
      .updateTable('limits')
      .set({ windowStart: newStartMs })
      .where('limitId', '=', window.limitId)
      .execute();
    return { ...window, newStartMs, newUsed: window.used };
  }
  const newUsed = (await countedIn(db, window, nowMs)) ?? window.used;
  await db
    .updateTable('quota_windows')
    .set({ windowStart: newStartMs, used: newUsed })
    .where('orgId', '=', window.orgId)
    .where('windowKind', '=', window.window)
    .execute();
  return { ...window, newStartMs, newUsed };
}

/** Returns the requests recorded in a month or a day. Undefined for shorter windows, which have no records. */
async function countedIn(
  db: Kysely<Database>,
  { orgId, window }: FutureWindow,
  nowMs: number,
): Promise<number | undefined> {
  if (window !== 'month' && window !== 'day') return undefined;
  const today = dayOf(nowMs);
  const { firstDay, endDay } = window === 'month' ? monthDays(nowMs) : { firstDay: today, endDay: today + 1 };
  const { rows } = await sql<{ counted: number }>`
    SELECT CAST(COALESCE(SUM(counted), 0) AS BIGINT) AS counted FROM usage_records
    WHERE org_id = ${orgId} AND day >= ${firstDay} AND day < ${endDay}`.execute(db);
  return rows[0]?.counted;
}
