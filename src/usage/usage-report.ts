import { before, type Grain, labelOf, labelsOf, type Period } from './period.ts';
import { addTotals, type KeyTotals, noUsage, type UsageReader, type UsageTotals } from './reports.ts';

export interface UsageReport {
  readonly totals: UsageTotals;
  /** Each day or month of the period, those without usage as well. */
  readonly series: readonly (UsageTotals & { readonly label: string })[];
  readonly byKey: readonly KeyShare[];
}

export interface KeyShare extends KeyTotals {
  /** Of all counted requests, 0 to 1; null where there are none. */
  readonly share: number | null;
  /** Counted requests against the period of the same length before: 0.5 is half as many again; null: none before. */
  readonly trend: number | null;
}

export interface UsageQuestion {
  readonly orgId: string;
  readonly period: Period;
  readonly grain: Grain;
  /** Null: all keys. */
  readonly keyId: string | null;
}

/** What an organization, or one of its keys, used. The key that used most comes first. */
export async function usageReport(reader: UsageReader, question: UsageQuestion): Promise<UsageReport> {
  const { orgId, period, grain, keyId } = question;
  const earlier = before(period);
  const [byDay, byKey, earlierByKey] = await Promise.all([
    reader.totalsByDay(orgId, period.firstDay, period.endDay, keyId),
    reader.totalsByKey(orgId, period.firstDay, period.endDay),
    reader.totalsByKey(orgId, earlier.firstDay, earlier.endDay),
  ]);
  const sums = new Map<string, UsageTotals>(labelsOf(period, grain).map((label) => [label, noUsage]));
  for (const { day, ...figures } of byDay) {
    const label = labelOf(day, grain);
    sums.set(label, addTotals(sums.get(label) ?? noUsage, figures));
  }
  return {
    totals: byDay.reduce<UsageTotals>((sum, { day: _, ...figures }) => addTotals(sum, figures), noUsage),
    series: [...sums].map(([label, figures]) => ({ label, ...figures })),
    byKey: sharesOf(byKey, earlierByKey, keyId),
  };
}

function sharesOf(
  byKey: readonly KeyTotals[],
  earlier: readonly KeyTotals[],
  keyId: string | null,
): KeyShare[] {
  const counted = byKey.reduce((sum, key) => sum + key.counted, 0);
  const countedBefore = new Map(earlier.map((key) => [key.keyId, key.counted]));
  return byKey
    .filter((key) => keyId === null || key.keyId === keyId)
    .map((key) => {
      const was = countedBefore.get(key.keyId) ?? 0;
      return {
        ...key,
        share: counted === 0 ? null : key.counted / counted,
        trend: was === 0 ? null : key.counted / was - 1,
      };
    })
    .sort((a, b) => b.counted - a.counted || b.cached - a.cached || (a.keyId < b.keyId ? -1 : 1));
}
