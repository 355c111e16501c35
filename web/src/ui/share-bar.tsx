import { formatShare } from '../lib/format.ts';

/** A share from 0 to 1, as a bar and as a figure. */
export function ShareBar({ share }: { share: number }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="h-1.5 w-16 overflow-hidden rounded-full bg-raised">
        <span className="block h-full rounded-full bg-counted" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="min-w-12 text-right tabular-nums">{formatShare(share)}</span>
    </span>
  );
}
