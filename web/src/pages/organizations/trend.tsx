import { trendDays, type UsageReport } from '../../api/usage.ts';
import { TrendBars, type TrendDay } from '../../charts/trend-bars.tsx';
import { formatChange, formatCount } from '../../lib/format.ts';
import { formatPeriod } from '../../lib/months.ts';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { Headline, Panel } from './panel.tsx';

const title = `Last ${trendDays} days`;

interface Props {
  /** Both are undefined while they are loading. */
  report: UsageReport | undefined;
  previous: UsageReport | undefined;
}

/** The counted requests of each of the last days, compared with as many days before. */
export function Trend({ report, previous }: Props) {
  const [first, last] = [report?.series.at(0), report?.series.at(-1)];
  if (!report || !previous || !first || !last) {
    return (
      <Panel title={title}>
        <SkeletonBlock height={8.5} />
      </Panel>
    );
  }
  const { series, totals } = report;
  return (
    <Panel title={title} className="min-h-41">
      <Headline figure={formatCount(totals.counted)} unit={totals.counted === 1 ? 'request' : 'requests'} />
      <div className="grid gap-1">
        <TrendBars days={series} label={describe(series, totals.counted)} />
        <p aria-hidden className="flex justify-between text-muted text-xs">
          <span>{formatPeriod(first.period)}</span>
          <span>{formatPeriod(last.period)} (UTC)</span>
        </p>
      </div>
      <Change now={totals.counted} before={previous.totals.counted} />
    </Panel>
  );
}

function Change({ now, before }: { now: number; before: number }) {
  if (before === 0) return <p className="text-muted">None in the {trendDays} days before</p>;
  return (
    <p className="text-muted">
      <span className="font-medium text-ink tabular-nums">{formatChange(now / before - 1)}</span> vs. the{' '}
      {trendDays} days before
    </p>
  );
}

/** Describes the chart in words. */
function describe(days: readonly TrendDay[], total: number): string {
  const dayName = (day: TrendDay | undefined): string => formatPeriod(day?.period ?? '');
  const [first, last] = [days.at(0), days.at(-1)];
  const span = `from ${dayName(first)} to ${dayName(last)}, days in UTC`;
  if (total === 0) return `No requests were counted ${span}.`;
  const busiest = days.reduce((most, day) => (day.counted > most.counted ? day : most));
  return (
    `${formatCount(total)} requests were counted ${span}. ` +
    `The busiest day was ${dayName(busiest)} with ${formatCount(busiest.counted)}. ` +
    `Today has ${formatCount(last?.counted ?? 0)} so far.`
  );
}
