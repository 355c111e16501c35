import { before, type Grain, labelOf, labelsOf, type Period } from './period.ts';
import {
  addTotals,
  type DayTotals,
  type KeyTotals,
  type ModelTotals,
  noUsage,
  type Senders,
  type SnapshotQuestion,
  type UsageSnapshot,
  type UsageTotals,
} from './reports.ts';

/** Every day or month of a period, including those without usage. */
type Series = readonly (UsageTotals & { readonly label: string })[];

export interface UsageReport {
  readonly totals: UsageTotals;
  readonly series: Series;
  /** The series of the preceding period of the same length. Empty unless the question compares. */
  readonly previous: Series;
  readonly byKey: readonly KeyShare[];
  /** Ordered by counted requests, most first. */
  readonly byModel: readonly ModelTotals[];
}

export interface KeyShare extends KeyTotals {
  /** The key's share of all counted requests, 0 to 1; null if there are none. */
  readonly share: number | null;
  /**
   * Change of the counted requests against the preceding period of the same length: 0.5 means 50 % more. Null if there
   * were none before, or the organization was not used in the first half of it.
   */
  readonly trend: number | null;
}

export interface UsageQuestion {
  readonly period: Period;
  readonly grain: Grain;
  readonly keyIds: Senders;
  /** Whether the report has the series of the preceding period too. */
  readonly withPrevious?: boolean;
}

/** Returns the figures that a report needs from a snapshot, in the order that `usageReportOf` expects. */
export function snapshotQuestion({ period, keyIds, withPrevious = false }: UsageQuestion): SnapshotQuestion {
  return {
    byKey: [period, before(period)],
    byDay: [{ days: period, keyIds }, ...(withPrevious ? [{ days: before(period), keyIds }] : [])],
    byModel: [{ days: period, keyIds }],
    pace: true,
  };
}

/** Returns the usage of an organization or one of its keys. Keys are ordered by usage, highest first. */
export function usageReportOf(snapshot: UsageSnapshot, question: UsageQuestion): UsageReport {
  const { period, grain, keyIds, withPrevious = false } = question;
  const [byKey = [], earlierByKey = []] = snapshot.byKey;
  const [byDay = [], earlierByDay = []] = snapshot.byDay;
  const byModel = snapshot.byModel[0] ?? [];
  const earlier = before(period);
  const wasUsed = (snapshot.pace?.firstDay ?? 0) <= (earlier.firstDay + earlier.endDay) / 2;
  return {
    totals: (period.hours ? byModel : byDay).reduce<UsageTotals>(addTotals, noUsage),
    series: seriesOf(byDay, period, grain),
    previous: withPrevious ? seriesOf(earlierByDay, before(period), grain) : [],
    byKey: sharesOf(byKey, wasUsed ? earlierByKey : [], keyIds),
    byModel: byModel.toSorted((a, b) => b.counted - a.counted || (a.model < b.model ? -1 : 1)),
  };
}

function seriesOf(byDay: readonly DayTotals[], period: Period, grain: Grain): Series {
  const sums = new Map<string, UsageTotals>(labelsOf(period, grain).map((label) => [label, noUsage]));
  for (const { day, ...figures } of byDay) {
    const label = labelOf(day, grain);
    sums.set(label, addTotals(sums.get(label) ?? noUsage, figures));
  }
  return [...sums].map(([label, figures]) => ({ label, ...figures }));
}

function sharesOf(byKey: readonly KeyTotals[], earlier: readonly KeyTotals[], keyIds: Senders): KeyShare[] {
  const counted = byKey.reduce((sum, key) => sum + key.counted, 0);
  const countedBefore = new Map(earlier.map((key) => [key.keyId, key.counted]));
  return byKey
    .filter((key) => keyIds?.includes(key.keyId) ?? true)
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
