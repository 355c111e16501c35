import { line } from 'd3-shape';

const width = 80;
const height = 20;

/** A trend as a small line, in a row of a table. The figure beside it says what it shows. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const d = line<number>(
    (_, place) => 1 + (place / Math.max(1, values.length - 1)) * (width - 2),
    (value) => height - 1.5 - (value / most) * (height - 3),
  )([...values]);
  return (
    <svg aria-hidden width={width} height={height} className="inline-block shrink-0 align-middle">
      <path d={d ?? ''} fill="none" strokeWidth={1.5} strokeLinejoin="round" className="stroke-accent" />
    </svg>
  );
}
