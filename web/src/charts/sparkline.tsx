import type { ReactNode } from 'react';

const height = 20;

interface Props {
  values: readonly number[];
  width?: number;
  /** By default, a narrow table has no room for the line. */
  look?: string;
  children: ReactNode;
}

/** A figure, and its trend as a small line. */
export function Sparkline({ values, width = 80, look = 'sm:max-xl:hidden', children }: Props) {
  const most = Math.max(1, ...values);
  const step = (width - 2) / Math.max(1, values.length - 1);
  const points = values.map((value, place) => [
    1 + place * step,
    height - 1.5 - (value / most) * (height - 3),
  ]);
  return (
    <span className="flex flex-wrap items-center gap-x-2 tabular-nums sm:flex-nowrap">
      {values.some((value) => value > 0) && (
        <svg aria-hidden width={width} height={height} className={`shrink-0 ${look}`}>
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
