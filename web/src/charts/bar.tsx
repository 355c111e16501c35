import type { ChartPeriod, Series } from './series.ts';

interface BarProps {
  period: ChartPeriod;
  series: readonly Series[];
  x: number;
  width: number;
  y: (value: number) => number;
}

/** The figures of a place, stacked. */
export function Bar({ period, series, x, width, y }: BarProps) {
  let below = 0;
  return series.map(({ id, fill, edge }) => {
    const value = period.values[id] ?? 0;
    const from = below;
    below += value;
    return (
      value > 0 && (
        <rect
          key={id}
          data-kind={id}
          x={x + 0.5}
          y={y(below)}
          width={Math.max(1, width - 1)}
          height={y(from) - y(below)}
          rx={1.5}
          style={{ fill, stroke: edge }}
        />
      )
    );
  });
}

/** Patterns for what failed, and for the time that is not over yet: told apart without a colour. */
export function Patterns() {
  return (
    <>
      <pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" className="fill-surface" />
        <rect width="3" height="6" className="fill-failed" />
      </pattern>
      <pattern id="not-over" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="1" height="8" className="fill-line" />
      </pattern>
    </>
  );
}
