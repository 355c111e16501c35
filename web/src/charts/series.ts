/** What a chart draws in one colour. */
export interface Series {
  readonly id: string;
  readonly name: string;
  readonly fill: string;
  readonly edge: string;
}

/** A place on the time axis. */
export interface ChartPeriod {
  readonly key: string;
  readonly name: string;
  /** The figure of each series by its `id`. A missing one is not drawn. */
  readonly values: Readonly<Record<string, number | null>>;
  /** The total at the same place of the period before, which is drawn as a dashed line. */
  readonly previous?: number | undefined;
}

/** How requests end, from the bottom of a bar to its top. They can be told apart in grey too. */
export const outcomes: readonly Series[] = [
  { id: 'counted', name: 'Counted', fill: 'var(--color-counted)', edge: 'var(--color-counted)' },
  { id: 'cached', name: 'Cached', fill: 'var(--color-cached)', edge: 'var(--color-counted)' },
  { id: 'refused', name: 'Refused', fill: 'var(--color-warning)', edge: 'var(--color-warning)' },
  { id: 'failed', name: 'Failed', fill: 'url(#hatched)', edge: 'var(--color-failed)' },
];
/** In usage reports, requests that were refused count as failed. */
export const kinds = outcomes.filter(({ id }) => id !== 'refused');

const groupColours = 6;

/** Returns the series of the groups of a chart, the largest first, and the sum of the others in grey. */
export function groupSeries(
  groups: readonly { readonly id: string; readonly name: string; readonly is_others: boolean }[],
): Series[] {
  return groups.map(({ id, name, is_others }, place) => {
    if (is_others) return { id, name, fill: 'var(--color-raised)', edge: 'var(--color-edge)' };
    const number = (place % groupColours) + 1;
    const edge = number % 2 === 1 ? number : number - 1;
    return { id, name, fill: `var(--color-series-${number})`, edge: `var(--color-series-${edge})` };
  });
}

export const totalOf = (period: ChartPeriod, series: readonly Series[]): number =>
  series.reduce((sum, { id }) => sum + (period.values[id] ?? 0), 0);
