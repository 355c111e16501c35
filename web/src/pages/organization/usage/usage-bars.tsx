import type { UsageReport } from '../../../api/usage.ts';
import { kinds } from '../../../charts/series.ts';
import { TimeChart } from '../../../charts/time-chart.tsx';
import { formatCount } from '../../../lib/format.ts';
import { currentName, formatPeriod } from '../../../lib/months.ts';

/** The requests of a report by day, stacked by how they ended. */
export function UsageBars({ report: { series, by, to }, height }: { report: UsageReport; height: number }) {
  return (
    <TimeChart
      label="Requests by period (UTC): counted, cached and failed"
      series={kinds}
      height={height}
      periods={series.map(({ period, counted, cached, failed }) => ({
        key: period,
        name: formatPeriod(period),
        values: { counted, cached, failed },
      }))}
      current={currentName(by, to)}
      format={formatCount}
    />
  );
}
