import { monthDays } from '../quota/window.ts';
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
  const byKey = await reader.totalsByKey(orgId, firstDay, endDay);
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
