import { capitalized } from '../lib/format.ts';

const dots = {
  plain: 'bg-muted',
  busy: 'bg-accent',
  success: 'bg-success',
  warning: 'bg-warning',
  danger: 'bg-danger',
} as const;

export type BadgeLook = keyof typeof dots;

/** A dot and a word for a state that is not the normal one. The normal state has none. */
export function Badge({ look = 'plain', children }: { look?: BadgeLook; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden className={`is-data size-1.5 rounded-full ${dots[look]}`} />
      {capitalized(children)}
    </span>
  );
}
