import { invalidField } from '../errors.ts';
import type { InTurn } from '../lib/fair-turns.ts';
import { percentileOf } from './latency.ts';
import { boundsOf, type Grain, labelOf, type Period } from './period.ts';
import { addTotals, noUsage, type Senders, type UsageTotals } from './reports.ts';
import {
  type Grouping,
  type GroupTotals,
  type HourlyReport,
  type HoursQuestion,
  hourlyUsageDays,
} from './request-log.ts';
import type { RequestLogReader } from './request-reports.ts';

/** What the periods of a report are. The usage of hours is kept for a shorter time than that of days. */
export type ReportGrain = Grain | 'hour';

const hourMs = 3_600_000;

export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Usage that is kept by hour: latencies and errors of any period of the last days. */
export interface RecentUsage {
  readonly latencyOf: (label: string) => Latency | null;
  readonly latency: Latency | null;
  readonly errors: HourlyReport['errors'];
  /** Every hour of the period. Undefined for a report by day or month. */
  readonly series?: readonly (UsageTotals & { readonly label: string })[];
}

/** A group's usage, without the periods that have none. */
export interface GroupUsage {
  /** Null: all other groups. */
  readonly name: string | null;
  readonly series: readonly (UsageTotals & { readonly label: string })[];
}

interface Question {
  readonly orgId: string;
  readonly period: Period;
  readonly grain: ReportGrain;
  readonly keyIds: Senders;
  readonly nowMs: number;
  /** Runs what is computed from the rows of a report. */
  readonly inTurn: InTurn;
}

/** Throws `invalid_request` for figures by hour of days whose hours are not kept any more. */
export function refuseForgotten(period: Period, grain: ReportGrain, nowMs: number): void {
  if ((grain !== 'hour' && !period.hours) || boundsOf(period, 'hour').first >= firstKeptHour(nowMs)) return;
  throw invalidField('from', `from may be at most ${hourlyUsageDays - 1} days ago with by=hour or hours`);
}

const firstKeptHour = (nowMs: number): number => Math.ceil(nowMs / hourMs / 24 - hourlyUsageDays) * 24;

/** Reads what is kept by hour about a period. */
export async function recentUsage(
  reader: RequestLogReader,
  { orgId, period, grain, keyIds, nowMs, inTurn }: Question,
): Promise<RecentUsage> {
  const { first, end } = boundsOf(period, 'hour');
  const question: HoursQuestion = {
    firstHour: Math.max(first, firstKeptHour(nowMs)),
    endHour: end,
    keyIds,
    hoursPerPlace: grain === 'hour' ? 1 : 24,
  };
  const report = await reader.hours(orgId, question);
  return inTurn(() => recentUsageOf(report, period, grain));
}

function recentUsageOf(
  { series, latencies, errors }: HourlyReport,
  period: Period,
  grain: ReportGrain,
): RecentUsage {
  const all = new Map<number, number>();
  const byLabel = new Map<string, Map<number, number>>();
  for (const { place, latencyClass, requests } of latencies) {
    const label = labelOf(place, grain);
    const counts = byLabel.get(label) ?? new Map<number, number>();
    byLabel.set(label, counts);
    for (const sum of [all, counts]) sum.set(latencyClass, (sum.get(latencyClass) ?? 0) + requests);
  }
  const figures = new Map(series.map(({ place, ...totals }) => [place, totals]));
  const { first, end } = boundsOf(period, 'hour');
  const hours = Array.from({ length: end - first }, (_, i) => {
    return { label: labelOf(first + i, 'hour'), ...noUsage, ...figures.get(first + i) };
  });
  return {
    latencyOf: (label) => latencyOf(byLabel.get(label)),
    latency: latencyOf(all),
    errors,
    ...(grain === 'hour' && { series: hours }),
  };
}

function latencyOf(counts: ReadonlyMap<number, number> = new Map()): Latency | null {
  const [p50Ms, p95Ms] = [percentileOf(counts, 0.5), percentileOf(counts, 0.95)];
  return p50Ms === null || p95Ms === null ? null : { p50Ms, p95Ms };
}

/** Reads the usage of the keys, users or models with the most requests, and of all others together. */
export async function groupUsage(
  reader: RequestLogReader,
  { orgId, period, grain, keyIds, inTurn }: Question,
  by: Grouping,
): Promise<GroupUsage[]> {
  const rows = await reader.groups(orgId, { by, ...period, keyIds, isHourly: grain === 'hour' });
  return inTurn(() => groupsOf(rows, grain));
}

function groupsOf(rows: readonly GroupTotals[], grain: ReportGrain): GroupUsage[] {
  const groups = new Map<string | null, Map<string, GroupUsage['series'][number]>>();
  for (const { name, place, ...figures } of rows) {
    const label = labelOf(place, grain);
    const series = groups.get(name) ?? new Map();
    groups.set(name, series);
    const before = series.get(label) ?? noUsage;
    series.set(label, { label, ...addTotals(before, { ...noUsage, ...figures }) });
  }
  return [...groups].map(([name, series]) => ({ name, series: [...series.values()] }));
}
