import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatShortCount } from '../lib/format.ts';
import { useWidth } from '../lib/use-width.ts';
import { Bar, Patterns } from './bar.tsx';
import { ChartTooltip } from './chart-tooltip.tsx';
import { Legend } from './legend.tsx';
import { type ChartPeriod, type Series, totalOf } from './series.ts';

interface Props {
  periods: readonly ChartPeriod[];
  series: readonly Series[];
  /** `bars`: stacked, the series add up. `lines`: each on its own. */
  shape?: 'bars' | 'lines';
  /** What the chart shows, for people who cannot see it. */
  label: string;
  /** The time zone of the periods, if it is not the reader's own. */
  zone?: string;
  /** The name of the last period, if it is not over yet. */
  current?: string | null;
  /** The name of the dashed line of the periods before. */
  previousName?: string | undefined;
  /** A line across the chart, for the first series. It is left out if that is hidden, or it is far above all figures. */
  limit?: { readonly name: string; readonly value: number } | undefined;
  format: (value: number) => string;
  /** Called with the first and the last place of a range that someone drags over. */
  onSelect?: ((first: number, last: number) => void) | undefined;
  /** Called with the place that someone chooses. */
  onOpen?: ((place: number) => void) | undefined;
  height?: number;
}

const margin = { top: 20, right: 8, bottom: 24, left: 48 };
const maxBarWidth = 36;
/** So that the names below the bars don't touch one another. */
const nameWidth = 76;
/** A limit that makes the bars lower than this part of the chart is left out. */
const minShare = 0.35;
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Figures by period. The arrow keys move from place to place, and Enter opens one. */
export function TimeChart({
  periods,
  series,
  shape = 'bars',
  label,
  zone,
  current = null,
  previousName,
  limit,
  format,
  onSelect,
  onOpen,
  height = 320,
}: Props) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [chosen, setChosen] = useState<number | null>(null);
  const [draggedFrom, setDraggedFrom] = useState<number | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const shown = series.filter(({ id }) => !hidden.has(id));
  const last = periods.length - 1;

  const highest = Math.max(0, ...periods.map((period) => highestOf(period, shown, shape)));
  const hasLimit = limit !== undefined && shown[0] === series[0] && highest >= limit.value * minShare;
  const ticks = ticksTo(Math.max(highest, hasLimit ? limit.value : 0, 1));
  /** The height of a column, for what is behind its bar. */
  const column = { y: margin.top, height: height - margin.top - margin.bottom };
  const y = (value: number): number => margin.top + column.height * (1 - value / ticks.at(-1)!);
  const bandWidth = Math.max(0, width - margin.left - margin.right) / Math.max(1, periods.length);
  const x = (place: number): number => margin.left + place * bandWidth;
  const middleOf = (place: number): number => x(place) + bandWidth / 2;
  const barWidth = Math.min(maxBarWidth, bandWidth * 0.78);
  // Counted from the last one, which always has its name.
  const every = Math.max(1, Math.ceil(nameWidth / Math.max(1, bandWidth)));
  const nameOf = (place: number): string =>
    current && place === last ? current : (periods[place]?.name ?? '');
  const active = chosen === null ? undefined : periods[chosen];
  const [from, to] = [draggedFrom ?? chosen ?? 0, chosen ?? 0].sort((a, b) => a - b) as [number, number];
  const isDragging = draggedFrom !== null && from !== to;

  const placeAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const offset = clientX - currentTarget.getBoundingClientRect().left - margin.left;
    return Math.min(last, Math.max(0, Math.floor(offset / Math.max(1, bandWidth))));
  };
  const release = () => {
    if (draggedFrom === null || chosen === null) return;
    if (isDragging) onSelect?.(from, to);
    else onOpen?.(chosen);
    setDraggedFrom(null);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (event.key === 'Escape') setChosen(null);
    if (event.key === 'Enter' && chosen !== null) onOpen?.(chosen);
    if (step === undefined) return;
    event.preventDefault();
    setChosen(Math.min(last, Math.max(0, (chosen ?? last - step) + step)));
  };
  /** Returns a line across the chart at a figure. */
  const across = (value: number): string => `M${margin.left},${y(value)}H${width - margin.right}`;
  /** Returns the points of a line. */
  const pointsOf = (figureOf: (period: ChartPeriod) => number | null | undefined): [number, number][] =>
    periods.flatMap((period, place) => {
      const value = figureOf(period);
      return value === null || value === undefined ? [] : [[middleOf(place), y(value)]];
    });

  return (
    <div className="grid grid-cols-1 gap-2">
      {/* The chart is too wide until it has measured a window that became narrower. */}
      <div
        ref={frame}
        role="application"
        aria-label={`${label}. The arrow keys move from bar to bar.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse read the bars with the arrow keys
        tabIndex={0}
        className="relative touch-pan-y select-none overflow-clip rounded-md print:h-auto!"
        style={{ height }}
        onKeyDown={onKey}
        onBlur={() => setChosen(null)}
        onPointerMove={(event) => setChosen(placeAt(event))}
        onPointerDown={(event) => event.button === 0 && setDraggedFrom(placeAt(event))}
        onPointerUp={release}
        onPointerLeave={() => {
          setChosen(null);
          setDraggedFrom(null);
        }}
      >
        {width > 0 && (
          <svg
            aria-hidden
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            // Paper is narrower than most windows.
            className="absolute h-auto max-w-full fill-muted text-xs print:static"
          >
            <Patterns />
            {ticks.map((tick) => (
              <g key={tick}>
                <path d={across(tick)} className="stroke-line" />
                <text x={margin.left - 8} y={y(tick) + 4} textAnchor="end">
                  {(shape === 'lines' ? format : formatShortCount)(tick)}
                </text>
              </g>
            ))}
            {current && <rect {...column} x={x(last)} width={bandWidth} fill="url(#not-over)" />}
            {chosen !== null && (
              <rect
                {...column}
                x={x(from)}
                width={bandWidth * (to - from + 1)}
                className={isDragging ? 'fill-accent-soft' : 'fill-raised'}
              />
            )}
            {periods.map((period, place) => (
              <g key={period.key}>
                {shape === 'bars' && (
                  <Bar
                    period={period}
                    series={shown}
                    x={middleOf(place) - barWidth / 2}
                    width={barWidth}
                    y={y}
                  />
                )}
                {(last - place) % every === 0 && middleOf(place) > margin.left + nameWidth / 4 && (
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
            {shape === 'lines' &&
              shown.map(({ id, edge }) => {
                const points = pointsOf(({ values }) => values[id]);
                return (
                  <g key={id} style={{ color: edge }}>
                    {points.map(([cx, cy]) => (
                      <circle key={cx} cx={cx} cy={cy} r={2.5} className="fill-current" />
                    ))}
                    <path
                      data-kind={id}
                      d={pathOf(points)}
                      fill="none"
                      strokeWidth={2}
                      className="stroke-current"
                    />
                  </g>
                );
              })}
            {previousName && (
              <path
                data-kind="previous"
                d={pathOf(pointsOf(({ previous }) => previous))}
                fill="none"
                strokeWidth={1.5}
                strokeDasharray="4 4"
                className="stroke-muted"
              />
            )}
            {hasLimit && (
              <g>
                <path d={across(limit.value)} className="stroke-ink" />
                <text x={margin.left + 4} y={y(limit.value) - 4} className="fill-ink">
                  {limit.name}
                </text>
              </g>
            )}
          </svg>
        )}
        {active && chosen !== null && !isDragging && (
          <ChartTooltip
            period={active}
            zone={zone}
            series={shown}
            format={format}
            hasTotal={shape === 'bars' && series.length > 1}
            note={current && chosen === last ? `${current} so far` : null}
            x={middleOf(chosen)}
            width={width}
          />
        )}
      </div>
      {series.length > 1 && (
        <Legend series={series} previousName={previousName} hidden={hidden} onChange={setHidden} />
      )}
    </div>
  );
}

const pathOf = (points: [number, number][]): string => (points.length === 0 ? '' : `M${points.join('L')}`);

/** Returns about four round numbers, the last of which is at least `most`. */
function ticksTo(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = Math.max(1, power * ([1, 2, 5].find((factor) => power * factor * 5 >= most) ?? 10));
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, place) => place * step);
}

function highestOf(period: ChartPeriod, series: readonly Series[], shape: 'bars' | 'lines'): number {
  const values = series.map(({ id }) => period.values[id] ?? 0);
  return Math.max(shape === 'bars' ? totalOf(period, series) : Math.max(0, ...values), period.previous ?? 0);
}
