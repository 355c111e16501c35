import type { ReactNode } from 'react';

const width = 80;
const height = 20;

/** A figure in a row of a table, and its trend as a small line, for which a narrow table has no room. */
export function Sparkline({ values, children }: { values: readonly number[]; children: ReactNode }) {
  const most = Math.max(1, ...values);
  const step = (width - 2) / Math.max(1, values.length - 1);
  const points = values.map((value, place) => [
    1 + place * step,
    height - 1.5 - (value / most) * (height - 3),
  ]);
  return (
    <span className="flex flex-wrap items-center gap-x-2 tabular-nums sm:flex-nowrap">
      {values.some((value) => value > 0) && (
        <svg aria-hidden width={width} height={height} className="shrink-0 sm:max-xl:hidden">
          <path
            d={`M${points.join('L')}`}
            fill="none"
            strokeWidth={1.5}
            strokeLinejoin="round"
            className="stroke-accent"
          />
        </svg>
      )}
      <span className="sm:min-w-18">{children}</span>
    </span>
  );
}
