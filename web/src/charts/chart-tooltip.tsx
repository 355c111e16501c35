import { formatCount } from '../lib/format.ts';
import { kindOrder, kinds, type Period } from './kinds.ts';
import { Swatch } from './legend.tsx';

interface Props {
  period: Period;
  /** Says that the period is not over yet. Null: it is over. */
  note: string | null;
  /** The middle of the bar, and the width of the chart. */
  x: number;
  width: number;
}

/** The figures of a bar, above the chart and beside the bar. Screen readers read it as soon as it changes. */
export function ChartTooltip({ period, note, x, width }: Props) {
  const total = kindOrder.reduce((sum, kind) => sum + period[kind], 0);
  const place = x < width / 2 ? { left: x + 24 } : { right: width - x + 24 };
  return (
    <div
      role="status"
      className="pointer-events-none absolute top-2 grid w-40 gap-1 rounded-md border border-line bg-surface p-2.5 shadow-md"
      style={place}
    >
      <p className="font-medium">{period.name}</p>
      {note && <p className="text-muted">{note}</p>}
      <dl className="grid gap-1 tabular-nums">
        {kindOrder.map((kind) => (
          <div key={kind} className="flex items-center gap-1.5">
            <Swatch kind={kind} />
            <dt className="flex-1">{kinds[kind].name}</dt>
            <dd>{formatCount(period[kind])}</dd>
          </div>
        ))}
        <div className="flex border-line border-t pt-1 font-medium">
          <dt className="flex-1">Total</dt>
          <dd>{formatCount(total)}</dd>
        </div>
      </dl>
    </div>
  );
}
