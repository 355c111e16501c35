import { type KeyboardEvent, useState } from 'react';
import { formatShortCount } from '../lib/format.ts';
import { useWidth } from '../lib/use-width.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import { type Kind, kindOrder, kinds, type Period } from './kinds.ts';
import { Legend } from './legend.tsx';
import { ticksOf } from './scale.ts';

interface Props {
  periods: readonly Period[];
  /** What the chart shows, for people who cannot see it. */
  label: string;
  /** The name of the last period, if it is not over yet. */
  current: string | null;
}

const height = 256;
const margin = { top: 8, right: 8, bottom: 24, left: 56 };
const plotHeight = height - margin.top - margin.bottom;
const maxBarWidth = 36;
/** So that the names below the bars don't touch one another. */
const nameWidth = 64;
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Stacked requests by period and kind. The arrow keys move from bar to bar. */
export function UsageChart({ periods, label, current }: Props) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [chosen, setChosen] = useState<number | null>(null);
  const last = periods.length - 1;
  const active = chosen === null ? undefined : periods[chosen];
  const nameOf = (place: number): string =>
    current && place === last ? current : (periods[place]?.name ?? '');

  const ticks = ticksOf(Math.max(...periods.map(totalOf)), 4);
  const top = ticks.at(-1) ?? 1;
  const yOf = (count: number): number => margin.top + plotHeight * (1 - count / top);
  const bandWidth = Math.max(0, width - margin.left - margin.right) / periods.length;
  const middleOf = (place: number): number => margin.left + (place + 0.5) * bandWidth;
  const barWidth = Math.min(maxBarWidth, bandWidth * 0.8);
  // Counted from the last one, which always has its name.
  const every = Math.max(1, Math.ceil(nameWidth / Math.max(1, bandWidth)));

  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (event.key === 'Escape') setChosen(null);
    if (step === undefined) return;
    event.preventDefault();
    setChosen(Math.min(last, Math.max(0, (chosen ?? last - step) + step)));
  };

  return (
    <div className="grid grid-cols-1 gap-3">
      {/* The chart is too wide until it has measured a window that became narrower. */}
      <div
        ref={frame}
        role="application"
        aria-label={`${label}. The arrow keys move from bar to bar.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse read the bars with the arrow keys
        tabIndex={0}
        className="relative overflow-clip rounded-md"
        style={{ height }}
        onKeyDown={move}
        onBlur={() => setChosen(null)}
        onPointerLeave={() => setChosen(null)}
      >
        {width > 0 && (
          <svg aria-hidden width={width} height={height} className="absolute fill-muted text-xs">
            <Hatching />
            {ticks.map((tick) => (
              <g key={tick}>
                <line
                  x1={margin.left}
                  x2={width - margin.right}
                  y1={yOf(tick)}
                  y2={yOf(tick)}
                  className="stroke-line"
                />
                <text x={margin.left - 8} y={yOf(tick) + 4} textAnchor="end">
                  {formatShortCount(tick)}
                </text>
              </g>
            ))}
            {periods.map((period, place) => (
              <g key={period.name} onPointerEnter={() => setChosen(place)}>
                <rect
                  x={middleOf(place) - bandWidth / 2}
                  y={margin.top}
                  width={bandWidth}
                  height={plotHeight}
                  className={
                    place === chosen || (current && place === last) ? 'fill-raised' : 'fill-transparent'
                  }
                />
                <Bar period={period} x={middleOf(place) - barWidth / 2} width={barWidth} yOf={yOf} />
                {(last - place) % every === 0 && (
                  <text
                    data-axis="x"
                    x={Math.min(middleOf(place), width - nameWidth / 2)}
                    y={height - 6}
                    textAnchor="middle"
                    className={current && place === last ? 'fill-ink font-medium' : ''}
                  >
                    {nameOf(place)}
                  </text>
                )}
              </g>
            ))}
          </svg>
        )}
        {active && chosen !== null && (
          <ChartTooltip
            period={active}
            note={current && chosen === last ? `${current} so far` : null}
            x={middleOf(chosen)}
            width={width}
          />
        )}
      </div>
      <Legend />
    </div>
  );
}

const totalOf = (period: Period): number => kindOrder.reduce((sum, kind) => sum + period[kind], 0);

interface BarProps {
  period: Period;
  x: number;
  width: number;
  yOf: (count: number) => number;
}

function Bar({ period, x, width, yOf }: BarProps) {
  let below = 0;
  return kindOrder.map((kind: Kind) => {
    const from = below;
    below += period[kind];
    const { fill, edge } = kinds[kind];
    return (
      period[kind] > 0 && (
        <rect
          key={kind}
          data-kind={kind}
          x={x + 0.5}
          y={yOf(below)}
          width={Math.max(1, width - 1)}
          height={yOf(from) - yOf(below)}
          style={{ fill, stroke: edge }}
        />
      )
    );
  });
}

/** The pattern of what failed: told apart without its colour. */
function Hatching() {
  return (
    <pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" className="fill-surface" />
      <rect width="3" height="6" className="fill-failed" />
    </pattern>
  );
}
