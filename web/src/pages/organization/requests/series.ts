import type { Series } from '../../../charts/series.ts';

/** How requests end, from the bottom of a bar to its top. */
export const outcomeSeries: readonly Series[] = [
  { id: 'counted', name: 'Counted', fill: 'var(--color-counted)', edge: 'var(--color-counted)' },
  { id: 'cached', name: 'Cached', fill: 'var(--color-cached)', edge: 'var(--color-counted)' },
  { id: 'refused', name: 'Refused', fill: 'var(--color-warning)', edge: 'var(--color-warning)' },
  { id: 'failed', name: 'Failed', fill: 'url(#hatched)', edge: 'var(--color-failed)' },
];
