import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../../api/embeddings.ts';
import { type Grouping, grainOf, type UsageReport, usageQuery } from '../../../api/usage.ts';
import { type ChartPeriod, groupSeries, kinds, type Series } from '../../../charts/series.ts';
import { TimeChart } from '../../../charts/time-chart.tsx';
import { formatCount, formatLatency, formatShare } from '../../../lib/format.ts';
import { currentName, formatPeriod } from '../../../lib/months.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { ShareBar } from '../../../ui/bar.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { SkeletonBlock } from '../../../ui/skeleton.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { row, Table } from '../../../ui/table.tsx';

const views = {
  requests: 'Requests',
  tokens: 'Tokens',
  latency: 'Latency',
  errors: 'Errors',
} as const;
export type View = keyof typeof views;
const groupings = { outcome: 'By outcome', key: 'By key', model: 'By model' } as const;

interface Props {
  period: string;
  keyId: string | undefined;
  view: View;
  group: Grouping;
  isCompared: boolean;
  onChange: (changed: Record<string, string | undefined>) => void;
  /** Called with the first and the last day of a range that someone drags over. */
  onRange: (from: string, to: string) => void;
  /** Called with the period that someone chooses. */
  onOpen: (period: string) => void;
}

const latencySeries: readonly Series[] = [
  { id: 'p50', name: 'p50', fill: 'var(--color-series-1)', edge: 'var(--color-series-1)' },
  { id: 'p95', name: 'p95', fill: 'var(--color-series-5)', edge: 'var(--color-series-5)' },
];
const [counted, cached] = kinds as [Series, Series];
const tokenSeries: readonly Series[] = [
  { ...counted, id: 'counted_tokens' },
  { ...cached, id: 'free_tokens', name: 'Not counted' },
];
const failedSeries = kinds.filter(({ id }) => id === 'failed');

/** Usage over time, in several views. */
export function UsageChart(props: Props) {
  const { period, keyId, view, group, isCompared, onChange } = props;
  const { org_id: orgId } = useOrganization();
  const options = {
    group: view === 'requests' || view === 'tokens' ? group : 'outcome',
    isCompared: isCompared && view === 'requests' && group === 'outcome',
  } as const;
  const query = useQuery(usageQuery(orgId, period, keyId, options));
  return (
    <section id="history" aria-label="History" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          legend="What the chart shows"
          options={views}
          value={view}
          onChange={(next) => onChange({ view: next })}
        />
        <div className="ml-auto flex flex-wrap items-center gap-1">
          {(view === 'requests' || view === 'tokens') && (
            <Select
              aria-label="Group"
              options={groupings}
              value={group}
              onChange={(next) => onChange({ group: next })}
            />
          )}
          {view === 'requests' && group === 'outcome' && (
            <Switch
              label="Compare"
              checked={isCompared}
              onChange={(checked) => onChange({ compare: checked ? 'previous' : undefined })}
            />
          )}
        </div>
      </div>
      <Loaded query={query} placeholder={<SkeletonBlock height={view === 'errors' ? 30.5 : 22} />}>
        {(report) => <Chart {...props} {...options} report={report} />}
      </Loaded>
    </section>
  );
}

function Chart(props: Props & { report: UsageReport }) {
  const { report, group, view, period, keyId, isCompared, onRange, onOpen } = props;
  const { series, periods: shown } = chartOf(report, view, group, isCompared);
  const { limit, window, unit } = useOrganization().quota;
  const grain = grainOf(period);
  // A line for a limit of the same length as the bars, which have what it counts at their bottom.
  const isComparable =
    view === 'requests' &&
    group === 'outcome' &&
    keyId === undefined &&
    window === grain &&
    unit === 'requests';
  const format = view === 'latency' ? formatLatency : formatCount;
  const isEmpty =
    view === 'latency' && !shown.some(({ values }) => values.p95 !== null && values.p95 !== undefined);
  return (
    <>
      <CutTexts models={report.models} />
      {isEmpty ? (
        <Empty title="No latencies in this period.">They are kept for 35 days.</Empty>
      ) : (
        <TimeChart
          label={`${views[view]} by period (UTC)`}
          zone="UTC"
          periods={shown}
          series={series}
          shape={view === 'latency' ? 'lines' : 'bars'}
          current={currentName(report.by, report.to)}
          previousName={isCompared && report.previous ? `Previous ${shown.length} ${grain}s` : undefined}
          limit={isComparable && limit !== null ? { name: `Limit per ${window}`, value: limit } : undefined}
          format={format}
          onSelect={grain === 'day' ? (from, to) => onRange(shown[from]!.key, shown[to]!.key) : undefined}
          onOpen={(place) => onOpen(shown[place]!.key)}
        />
      )}
      {view === 'errors' && <ErrorList errors={report.errors ?? []} />}
      <details>
        <summary className="w-fit py-1 text-accent">Show as a table</summary>
        <div className="pt-2">
          <Table
            caption={`${views[view]} by period`}
            columns={[
              'Period (UTC)',
              ...series.map(({ name }) => ({ name, numeric: true, isLongName: group !== 'outcome' })),
            ]}
            rows={shown.map(({ key, name, values }) =>
              row(key, name, ...series.map(({ id }) => (values[id] == null ? '–' : format(values[id])))),
            )}
          />
        </div>
      </details>
    </>
  );
}

/** Returns what the chart draws of a report. */
function chartOf(
  report: UsageReport,
  view: View,
  group: Grouping,
  isCompared: boolean,
): { series: readonly Series[]; periods: readonly ChartPeriod[] } {
  const named = report.series.map(({ period }) => ({ key: period, name: formatPeriod(period) }));
  if (group !== 'outcome') {
    const members = group === 'key' ? report.key_count : report.models.length;
    const others = members - (report.groups ?? []).length + 1;
    const othersName = `Others (${formatCount(others)} ${group}${others === 1 ? '' : 's'})`;
    const groups = (report.groups ?? []).map((group, place) => ({
      ...group,
      id: `${place}`,
      name: group.is_others ? othersName : (group.name ?? (group.key_id ? 'Playground' : 'Unknown')),
    }));
    const figureOf = (of: (typeof groups)[number]['series'][number]): number =>
      view === 'tokens' ? of.tokens : of.counted + of.cached;
    return {
      series: groupSeries(groups),
      // A group has no figures of a period without usage.
      periods: named.map((named) => ({
        ...named,
        values: Object.fromEntries(
          groups.map(({ id, series }) => {
            const figures = series.find(({ period }) => period === named.key);
            return [id, figures ? figureOf(figures) : 0];
          }),
        ),
      })),
    };
  }
  const series = { requests: kinds, tokens: tokenSeries, latency: latencySeries, errors: failedSeries }[view];
  const previous = isCompared ? report.previous : undefined;
  return {
    series,
    periods: report.series.map(({ latency, counted, cached, failed, tokens, counted_tokens }, place) => {
      const before = previous?.[place];
      return {
        ...named[place]!,
        values: {
          counted,
          cached,
          failed,
          counted_tokens,
          // A crash can lose what was not counted.
          free_tokens: Math.max(0, tokens - counted_tokens),
          p50: latency?.p50_ms ?? null,
          p95: latency?.p95_ms ?? null,
        },
        ...(before && { previous: before.counted + before.cached + before.failed }),
      };
    }),
  };
}

const errorColumns = ['Error', { name: 'Requests', numeric: true }, { name: 'Share', numeric: true }];

/** How often requests failed for each reason. */
function ErrorList({ errors }: { errors: NonNullable<UsageReport['errors']> }) {
  const total = errors.reduce((sum, { requests }) => sum + requests, 0);
  if (total === 0) return <Empty title="No request was refused or failed." />;
  return (
    <Table
      caption="Errors"
      columns={errorColumns}
      rows={errors.map(({ error, requests }) =>
        row(
          error,
          <code className="font-mono text-xs">{error}</code>,
          formatCount(requests),
          <ShareBar share={requests / total} />,
        ),
      )}
    />
  );
}

/** Says for each model which share of its texts was cut at its limit. Empty if no text was cut. */
function CutTexts({ models }: Pick<UsageReport, 'models'>) {
  const { data: served = [] } = useQuery(modelsQuery);
  const isOnly = models.filter(({ texts }) => texts > 0).length === 1;
  return models.map(({ model, texts, truncated }) => {
    if (truncated === 0) return null;
    const limit = served.find(({ id }) => id === model)?.max_input_tokens;
    return (
      <p key={model} className="wrap-anywhere">
        {formatShare(truncated / texts)} of your texts{!isOnly && ` for ${model}`} were cut at{' '}
        {limit === undefined ? 'the model’s limit' : `${formatCount(limit)} tokens`}.
      </p>
    );
  });
}
