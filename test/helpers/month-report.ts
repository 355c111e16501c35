import { monthDays } from '../../src/quota/window.ts';
import { type MonthReport, monthReportOf } from '../../src/usage/reports.ts';
import type { UsageReader } from '../../src/usage/usage-snapshot.ts';

/** Returns the usage of the calendar month (UTC) that contains `atMs`. */
export async function monthReport(reader: UsageReader, orgId: string, atMs: number): Promise<MonthReport> {
  const { firstDay, endDay } = monthDays(atMs);
  return monthReportOf(await reader.totalsByKey(orgId, firstDay, endDay));
}
