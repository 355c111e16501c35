import type { UsageReport } from '../../../api/usage.ts';
import { type Kind, kindOrder, kinds, type Period } from '../../../charts/kinds.ts';
import { UsageChart } from '../../../charts/usage-chart.tsx';
import { formatCount } from '../../../lib/format.ts';
import { dayOf, formatPeriod } from '../../../lib/months.ts';
import { Table } from '../../../ui/table.tsx';
import { CutTexts } from './cut-texts.tsx';

const explanations: Readonly<Record<Kind, string>> = {
  counted: 'computed, counted against the quota',
  cached: 'from the cache, free',
  failed: 'refused or failed, free',
};

const columns = ['Period (UTC)', ...kindOrder.map((kind) => ({ name: kinds[kind].name, numeric: true }))];

export function History({ report: { series, totals, models, by, to } }: { report: UsageReport }) {
  const isByMonth = by === 'month';
  const isCurrent = to === dayOf(Date.now());
  const periods = series.map((figures) => ({ ...figures, name: formatPeriod(figures.period) }));
  return (
    <div className="grid grid-cols-1 gap-4">
      <dl className="grid gap-4 sm:grid-cols-3">
        {kindOrder.map((kind) => (
          <div key={kind}>
            <dt className="text-muted">{kinds[kind].name}</dt>
            <dd className="font-semibold text-lg tabular-nums">{formatCount(totals[kind])}</dd>
            <dd className="text-muted">{explanations[kind]}</dd>
          </div>
        ))}
      </dl>
      <CutTexts models={models} />
      <UsageChart
        periods={periods}
        label="Requests by period (UTC): counted, cached and failed"
        current={isCurrent ? (isByMonth ? 'This month' : 'Today') : null}
      />
      <p className="text-muted text-xs">{isByMonth ? 'Months' : 'Days'} are in UTC.</p>
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
