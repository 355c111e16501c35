import { lazy, Suspense } from 'react';
import type { UsageReport } from '../../../api/usage.ts';
import { type Kind, kinds, type Period } from '../../../charts/kinds.ts';
import { formatCount } from '../../../lib/format.ts';
import { dayOf, formatPeriod } from '../../../lib/months.ts';
import { SkeletonBlock } from '../../../ui/skeleton.tsx';
import { Table } from '../../../ui/table.tsx';

// The chart library is as large as everything else, so the figures do not wait for it.
const UsageChart = lazy(() => import('../../../charts/usage-chart.tsx'));

const explanations: Readonly<Record<Kind, string>> = {
  counted: 'computed, counted against the quota',
  cached: 'from the cache, free',
  failed: 'refused or failed, free',
};

const columns = [
  'Period (UTC)',
  ...(Object.keys(kinds) as Kind[]).map((kind) => ({ name: kinds[kind].name, numeric: true })),
];

export function History({ report: { series, totals, by, to } }: { report: UsageReport }) {
  const isByMonth = by === 'month';
  const isCurrent = to === dayOf(Date.now());
  const periods = series.map((figures) => ({ ...figures, name: formatPeriod(figures.period) }));
  return (
    <div className="grid grid-cols-1 gap-4">
      <dl className="grid gap-4 sm:grid-cols-3">
        {(Object.keys(kinds) as Kind[]).map((kind) => (
          <div key={kind}>
            <dt className="text-muted">{kinds[kind].name}</dt>
            <dd className="font-semibold text-lg tabular-nums">{formatCount(totals[kind])}</dd>
            <dd className="text-muted">{explanations[kind]}</dd>
          </div>
        ))}
      </dl>
      {/* The chart is too wide until it has measured a window that became narrower. The margin is for its outline. */}
      <div className="h-72 overflow-clip [overflow-clip-margin:4px]">
        <Suspense fallback={<SkeletonBlock height={18} />}>
          <UsageChart periods={periods} label="Requests by period (UTC): counted, cached and failed" />
        </Suspense>
      </div>
      <p className="text-muted text-xs">
        {isByMonth ? 'Months' : 'Days'} are in UTC.
        {isCurrent && ` The last bar is ${isByMonth ? 'this month' : 'today'} so far.`}
      </p>
      <details>
        <summary className="w-fit text-accent">Show as a table</summary>
        <div className="pt-2">
          <Table caption="Requests by period" columns={columns} rows={periods.map(rowOf)} />
        </div>
      </details>
    </div>
  );
}

const rowOf = ({ name, counted, cached, failed }: Period) => ({
  key: name,
  cells: [name, ...[counted, cached, failed].map(formatCount)],
});
