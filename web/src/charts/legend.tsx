import type { MouseEvent } from 'react';
import type { Series } from './series.ts';

interface Props {
  series: readonly Series[];
  /** The name of the dashed line, which is always shown. */
  previousName?: string | undefined;
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
}

/** The names of the series. A click hides one, and a click with Alt hides all others. */
export function Legend({ series, previousName, hidden, onChange }: Props) {
  const toggle = (id: string) => (event: MouseEvent) => {
    const others = series.map((each) => each.id).filter((each) => each !== id);
    const isAlone = others.every((each) => hidden.has(each));
    if (event.altKey) return onChange(new Set(isAlone ? [] : others));
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    // An empty chart helps nobody.
    onChange(next.size === series.length ? new Set() : next);
  };
  return (
    <ul className="flex flex-wrap gap-1">
      {series.map((each) => (
        <li key={each.id}>
          <span
            dir="auto"
            className={`hidden min-h-6 items-center gap-1.5 pr-3 ${hidden.has(each.id) ? '' : 'print:flex'}`}
          >
            <Swatch series={each} /> {each.name}
          </span>
          <button
            type="button"
            aria-pressed={!hidden.has(each.id)}
            title="Hide or show. With Alt: show only this."
            onClick={toggle(each.id)}
            className="flex min-h-6 max-w-64 items-center gap-1.5 rounded-sm px-1.5 hover:bg-raised aria-[pressed=false]:text-muted aria-[pressed=false]:line-through"
          >
            <Swatch series={each} />
            <span dir="auto" className="truncate">
              {each.name}
            </span>
          </button>
        </li>
      ))}
      {previousName && (
        <li className="flex min-h-6 items-center gap-1.5 px-1.5">
          <span aria-hidden className="w-4 border-muted border-t-2 border-dashed" />
          {previousName}
        </li>
      )}
    </ul>
  );
}

/** How the chart shows a series. */
export function Swatch({ series: { fill, edge } }: { series: Series }) {
  return (
    <svg aria-hidden width="12" height="12" className="shrink-0">
      <rect x="0.5" y="0.5" width="11" height="11" rx="2" style={{ fill, stroke: edge }} />
    </svg>
  );
}
