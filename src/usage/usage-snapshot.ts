import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../database/migrations/database-kind.ts';
import { customLimit, type Database, type LimitColumns } from '../database/schema.ts';
import type { DatabaseTime } from '../database/sql.ts';
import { currentRow } from '../quota/decide.ts';
import { monthDays } from '../quota/window.ts';
import { boundsOf } from './period.ts';
import { paceDaysAt } from './projection.ts';
import type { ReportedDays, SnapshotQuestion, UsageSnapshot } from './reports.ts';
import { usageReports } from './usage-reports.ts';

type Row = LimitColumns & {
  tier: string;
  kind: string | null;
  startMs: number;
  used: number;
  nowMs: number;
};

/** Reads the figures of a report in one transaction, from one snapshot of the database. */
export function usageSnapshots(db: Kysely<Database>, databaseKind: DatabaseKind, time: DatabaseTime) {
  const transaction = () => {
    if (databaseKind === 'sqlite') return db.transaction();
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  };
  return {
    /** Returns figures that agree with each other, from one snapshot of the database. Undefined: no such organization. */
    snapshot(orgId: string, question: SnapshotQuestion): Promise<UsageSnapshot | undefined> {
      return transaction().execute((reading) => read(reading, orgId, question, time));
    },
  };
}

/** Reads usage, and snapshots of it whose figures agree with each other. */
export type UsageReader = ReturnType<typeof usageReports> & ReturnType<typeof usageSnapshots>;

async function read(
  db: Kysely<Database>,
  orgId: string,
  { byKey, byDay, byModel = [], pace }: SnapshotQuestion,
  time: DatabaseTime,
): Promise<UsageSnapshot | undefined> {
  const { rows } = await sql<Row>`
    SELECT tier, limit_requests, limit_window, window_kind AS kind, window_start AS start_ms, used, ${time()} AS now_ms
    FROM organizations LEFT JOIN quota_windows ON quota_windows.org_id = organizations.org_id
    WHERE organizations.org_id = ${orgId}`.execute(db);
  const [org] = rows;
  if (!org) return undefined;
  const nowMs = org.nowMs;
  const windows = rows.flatMap(({ kind, startMs, used }) => (kind === null ? [] : [{ kind, startMs, used }]));
  const month = currentRow(
    'month',
    windows.find(({ kind }) => kind === 'month'),
    nowMs,
  );
  const daysOf = (days: ReportedDays) => (days === 'month' ? monthDays(month.startMs) : days);
  const reports = usageReports(db);
  const snapshot = { byKey: [], byDay: [], byModel: [] } as {
    byKey: UsageSnapshot['byKey'][number][];
    byDay: UsageSnapshot['byDay'][number][];
    byModel: UsageSnapshot['byModel'][number][];
  };
  for (const days of byKey) {
    const { first, end, unit } = boundsOf(daysOf(days));
    snapshot.byKey.push(await reports.totalsByKey(orgId, first, end, unit));
  }
  for (const { days, keyIds } of byDay) {
    const { firstDay, endDay } = daysOf(days);
    snapshot.byDay.push(await reports.totalsByDay(orgId, firstDay, endDay, keyIds));
  }
  for (const { days, keyIds } of byModel) {
    const { first, end, unit } = boundsOf(daysOf(days));
    snapshot.byModel.push(await reports.totalsByModel(orgId, first, end, keyIds, unit));
  }
  const recent = paceDaysAt(nowMs);
  const [found = null] = pace ? await reports.paces([orgId], recent.firstDay, recent.endDay) : [];
  return {
    nowMs,
    monthStartMs: month.startMs,
    tier: org.tier,
    custom: customLimit(org),
    windows,
    ...snapshot,
    pace: found,
  };
}
