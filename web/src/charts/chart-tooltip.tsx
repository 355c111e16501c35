import { formatChange } from '../lib/format.ts';
import { Swatch } from './legend.tsx';
import { type ChartPeriod, type Series, totalOf } from './series.ts';

interface Props {
  period: ChartPeriod;
  zone?: string | undefined;
  series: readonly Series[];
  format: (value: number) => string;
  /** Whether the series add up to something. */
  hasTotal: boolean;
  /** Says that the period is not over yet. Null: it is over. */
  note: string | null;
  /** The middle of the bar, and the width of the chart. */
  x: number;
  width: number;
}

/** The figures of a place, above the chart and beside the bar. Screen readers read it as soon as it changes. */
export function ChartTooltip({ period, zone, series, format, hasTotal, note, x, width }: Props) {
  const total = totalOf(period, series);
  const { previous } = period;
  const place = x < width / 2 ? { left: x + 24 } : { right: width - x + 24 };
  return (
    <div
      role="status"
      className="pointer-events-none absolute top-2 z-10 grid w-48 grid-cols-1 gap-1 rounded-lg border border-line bg-surface p-2.5 shadow-lg"
      style={place}
    >
      <p className="font-medium">
        {period.name} {zone}
      </p>
      {note && <p className="text-muted">{note}</p>}
      <dl className="grid grid-cols-1 gap-1 tabular-nums">
        {series.map((each) => {
          const value = period.values[each.id];
          return (
            <div key={each.id} className="flex items-center gap-1.5">
              <Swatch series={each} />
              <dt dir="auto" className="min-w-0 flex-1 truncate text-left">
                {each.name}
              </dt>
              <dd>{value === null || value === undefined ? '–' : format(value)}</dd>
            </div>
          );
        })}
        {hasTotal && (
          <div className="flex border-line border-t pt-1 font-medium">
            <dt className="flex-1">Total</dt>
            <dd>{format(total)}</dd>
          </div>
        )}
        {previous !== undefined && (
          <div className="flex text-muted">
            <dt className="flex-1">Period before</dt>
            <dd>
              {format(previous)}
              {previous > 0 && ` (${formatChange(total / previous - 1)})`}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
