import { formatCount } from '../lib/format.ts';
import { formatPeriod } from '../lib/months.ts';

/** The counted requests of a day, such as 2026-11-21. */
export interface TrendDay {
  readonly period: string;
  readonly counted: number;
}

interface Props {
  days: readonly TrendDay[];
  /** What the chart shows, for people who cannot see it. */
  label: string;
}

// In the chart's own units, which stretch to its width and height.
const step = 4;
const gap = 1;
const height = 100;
/** So that a single request among thousands is still visible. */
const minBarHeight = 4;

/** Requests by day, as small bars. The last day is not over yet, and is lighter. */
export function TrendBars({ days, label }: Props) {
  const most = Math.max(1, ...days.map(({ counted }) => counted));
  const barHeight = (counted: number): number =>
    counted === 0 ? 0 : Math.max(minBarHeight, (counted / most) * height);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${days.length * step - gap} ${height}`}
      preserveAspectRatio="none"
      className="h-12 w-full border-line border-b"
    >
      {days.map(({ period, counted }, place) => (
        <g key={period}>
          <title>{`${formatPeriod(period)}: ${formatCount(counted)}`}</title>
          <rect x={place * step} width={step} height={height} fill="transparent" />
          <rect
            x={place * step}
            y={height - barHeight(counted)}
            width={step - gap}
            height={barHeight(counted)}
            fill="var(--color-counted)"
            fillOpacity={place === days.length - 1 ? 0.55 : 1}
          />
        </g>
      ))}
    </svg>
  );
}
