import { unavailable } from '../errors.ts';
import { type Standing, standingOf, type WindowRow } from '../quota/decide.ts';
import type { Limit, Tiers } from '../quota/tiers.ts';
import { monthDays } from '../quota/window.ts';
import type { Period } from './period.ts';
import type { Pace } from './projection.ts';

/** What one key did on one day. `counted` requests are those that the quota was charged for. */
export interface UsageRow {
  readonly keyId: string;
  /** Days since the Unix epoch. */
  readonly day: number;
  readonly counted: number;
  readonly cached: number;
  readonly failed: number;
  readonly texts: number;
  readonly tokens: number;
}

export type UsageTotals = Omit<UsageRow, 'keyId' | 'day'>;

export interface UsageReader {
  /** Rows of an organization with `firstDay` ≤ day < `endDay`, by day, then key. Revoked keys' rows stay. */
  rows(orgId: string, firstDay: number, endDay: number): Promise<UsageRow[]>;
  /** The same, summed by key. */
  totalsByKey(orgId: string, firstDay: number, endDay: number): Promise<KeyTotals[]>;
  /** The same, summed by day, of one key or of all; days without a row are left out. */
  totalsByDay(orgId: string, firstDay: number, endDay: number, keyId: string | null): Promise<DayTotals[]>;
  /** What forecasts are made from, of those of the organizations that exist; `firstDay` ≤ counted day < `endDay`. */
  paces(orgIds: readonly string[], firstDay: number, endDay: number): Promise<Pace[]>;
  /** Figures that agree with each other: all from one snapshot of the database. Undefined: there is no such organization. */
  snapshot(orgId: string, question: SnapshotQuestion): Promise<UsageSnapshot | undefined>;
}

/** Days, or the month that the ledger counts in. */
export type ReportedDays = Period | 'month';

export interface SnapshotQuestion {
  readonly byKey: readonly ReportedDays[];
  readonly byDay: readonly { readonly days: ReportedDays; readonly keyId: string | null }[];
  readonly pace: boolean;
}

/** What the database has at one moment; `byKey` and `byDay` in the order of the question. */
export interface UsageSnapshot {
  /** The database's clock. */
  readonly nowMs: number;
  /** The month that the ledger counts in: a later one than now's, where the clock was set back. */
  readonly monthStartMs: number;
  readonly tier: string;
  readonly custom: Limit | null;
  readonly windows: readonly (WindowRow & { readonly kind: string })[];
  readonly byKey: readonly KeyTotals[][];
  readonly byDay: readonly DayTotals[][];
  readonly pace: Pace | null;
}

/** The same. Throws `unavailable` when the database does not say. */
export function readSnapshot(
  reader: Pick<UsageReader, 'snapshot'>,
  orgId: string,
  question: SnapshotQuestion,
): Promise<UsageSnapshot | undefined> {
  return reader.snapshot(orgId, question).catch((reason) => {
    throw unavailable(reason);
  });
}

/** Where the organization stands at the moment of a snapshot. */
export function standingIn(snapshot: UsageSnapshot, tiers: Tiers): Standing {
  const limit = tiers.limitOf(snapshot.tier, snapshot.custom);
  const row = snapshot.windows.find(({ kind }) => kind === limit.window);
  return standingOf(limit, row, snapshot.nowMs);
}

export type KeyTotals = UsageTotals & { readonly keyId: string };
export type DayTotals = UsageTotals & { readonly day: number };

export interface MonthReport {
  readonly totals: UsageTotals;
  readonly byKey: readonly KeyTotals[];
}

export const noUsage: UsageTotals = { counted: 0, cached: 0, failed: 0, texts: 0, tokens: 0 };

/** The calendar month (UTC) that holds `atMs`. */
export async function monthReport(reader: UsageReader, orgId: string, atMs: number): Promise<MonthReport> {
  const { firstDay, endDay } = monthDays(atMs);
  return monthReportOf(await reader.totalsByKey(orgId, firstDay, endDay));
}

export function monthReportOf(byKey: readonly KeyTotals[]): MonthReport {
  return { byKey, totals: byKey.reduce<UsageTotals>(addTotals, noUsage) };
}

export function addTotals(a: UsageTotals, b: UsageTotals): UsageTotals {
  return {
    counted: a.counted + b.counted,
    cached: a.cached + b.cached,
    failed: a.failed + b.failed,
    texts: a.texts + b.texts,
    tokens: a.tokens + b.tokens,
  };
}
