import { monthDays } from '../quota/window.ts';

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
  totalsByKey(orgId: string, firstDay: number, endDay: number): Promise<(UsageTotals & { keyId: string })[]>;
}

export interface MonthReport {
  readonly totals: UsageTotals;
  readonly byKey: readonly (UsageTotals & { readonly keyId: string })[];
}

export const noUsage: UsageTotals = { counted: 0, cached: 0, failed: 0, texts: 0, tokens: 0 };

/** The calendar month (UTC) that holds `atMs`. */
export async function monthReport(reader: UsageReader, orgId: string, atMs: number): Promise<MonthReport> {
  const { firstDay, endDay } = monthDays(atMs);
  const byKey = await reader.totalsByKey(orgId, firstDay, endDay);
  return { byKey, totals: byKey.reduce<UsageTotals>(add, noUsage) };
}

function add(a: UsageTotals, b: UsageTotals): UsageTotals {
  return {
    counted: a.counted + b.counted,
    cached: a.cached + b.cached,
    failed: a.failed + b.failed,
    texts: a.texts + b.texts,
    tokens: a.tokens + b.tokens,
  };
}
