import { HeatMap } from '../src/charts/heat-map.tsx';
import { groupSeries, kinds } from '../src/charts/series.ts';
import { Sparkline } from '../src/charts/sparkline.tsx';
import { TimeChart } from '../src/charts/time-chart.tsx';

const days = Array.from({ length: 14 }, (_, day) => ({
  key: `${day}`,
  name: `Nov ${day + 1}`,
  values: { counted: 300 + 40 * ((day * 7) % 5), cached: 120 + 10 * day, failed: day % 4 },
}));
const format = (value: number): string => value.toLocaleString('en-US');

export const Stacked = () => (
  <TimeChart label="Requests by day" periods={days} series={kinds} format={format} current="Today" />
);

export const ComparedAndLimited = () => (
  <TimeChart
    label="Requests by day"
    periods={days.map((day, place) => ({ ...day, previous: 350 + place * 9 }))}
    series={kinds}
    format={format}
    limit={{ name: 'Limit per day', value: 700 }}
  />
);

const groups = ['search indexer', 'website', 'nightly batch', 'laptop', 'mobile', 'Others'].map((name) => ({
  id: name,
  name,
}));

export const Grouped = () => (
  <TimeChart
    label="Requests by day and key"
    periods={days.map((day, place) => ({
      ...day,
      values: Object.fromEntries(
        groups.map(({ id }, group) => [id, 90 - 13 * group + ((place * group) % 9)]),
      ),
    }))}
    series={groupSeries(groups)}
    format={format}
  />
);

export const Lines = () => (
  <TimeChart
    label="Latency by day"
    shape="lines"
    periods={days.map((day, place) => ({
      ...day,
      values: { p50: 8 + (place % 3), p95: place === 5 ? null : 30 + ((place * 5) % 11) },
    }))}
    series={[
      { id: 'p50', name: 'p50', fill: 'var(--color-series-2)', edge: 'var(--color-series-1)' },
      { id: 'p95', name: 'p95', fill: 'var(--color-series-6)', edge: 'var(--color-series-5)' },
    ]}
    format={(value) => `${value} ms`}
  />
);

export const Small = () => (
  <div className="grid gap-2">
    <Sparkline values={[1, 4, 2, 8, 5, 7]}>27</Sparkline>
    <Sparkline values={[0, 0, 0]}>0</Sparkline>
  </div>
);

const texts = ['How do I reset my password?', 'I forgot my login.', 'The ferry leaves at noon.'];

export const Similarity = () => (
  <HeatMap
    labels={texts}
    order={[0, 1, 2]}
    similarities={[
      [1, 0.78, 0.08],
      [0.78, 1, 0.2],
      [0.08, 0.2, 1],
    ]}
  />
);
