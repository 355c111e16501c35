import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatCount, formatShortCount } from '../lib/format.ts';
import { type Kind, kinds, type Period } from './kinds.ts';

const order = Object.keys(kinds) as Kind[];

interface Props {
  periods: readonly Period[];
  /** What the chart shows, for people who cannot see it. */
  label: string;
}

/** Stacked requests by period and kind. The arrow keys move from bar to bar. */
export default function UsageChart({ periods, label }: Props) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...periods]}
        accessibilityLayer
        title={label}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      >
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="name" tickLine={false} stroke="var(--color-muted)" fontSize={12} minTickGap={12} />
        <YAxis
          allowDecimals={false}
          tickFormatter={formatShortCount}
          tickLine={false}
          axisLine={false}
          stroke="var(--color-muted)"
          fontSize={12}
          width={64}
          label={{
            value: 'requests',
            angle: -90,
            position: 'insideLeft',
            fill: 'var(--color-muted)',
            fontSize: 12,
          }}
        />
        <Tooltip
          isAnimationActive={false}
          itemSorter={({ dataKey }) => order.indexOf(dataKey as Kind)}
          separator=": "
          cursor={{ fill: 'var(--color-raised)' }}
          formatter={(value, name) => [formatCount(Number(value)), name]}
          labelClassName="font-medium text-ink"
          contentStyle={{
            background: 'var(--color-surface)',
            borderColor: 'var(--color-line)',
            borderRadius: 6,
          }}
          itemStyle={{ color: 'var(--color-ink)' }}
        />
        <Legend itemSorter={null} formatter={(name) => <span className="mr-3 text-ink">{name}</span>} />
        {order.map((kind) => (
          <Bar
            key={kind}
            dataKey={kind}
            name={kinds[kind].name}
            stackId="requests"
            fill={kinds[kind].color}
            isAnimationActive={false}
            maxBarSize={36}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
