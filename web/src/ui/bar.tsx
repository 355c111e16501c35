import type { Unit } from '../api/organizations.ts';
import { formatCount, formatShare } from '../lib/format.ts';
import { quotaShare } from '../lib/quota.ts';

const nearlyFull = 0.8;

/** Returns the colour of a bar that shows how much of a limit is used. */
export function usedLook(share: number): string {
  if (share >= 1) return 'bg-danger';
  return share >= nearlyFull ? 'bg-warning' : 'bg-accent';
}

/** A share from 0 to 1, as a bar. */
export function LimitBar({ share, look }: { share: number; look: string }) {
  return (
    <span aria-hidden className="h-1.5 w-16 shrink-0 overflow-hidden rounded-full bg-raised">
      <span
        className={`is-data block h-full rounded-full ${look}`}
        style={{ width: `${Math.min(1, share) * 100}%` }}
      />
    </span>
  );
}

/** A share from 0 to 1, as a bar and as a figure. */
export function ShareBar({ share, look = 'bg-counted' }: { share: number; look?: string }) {
  return (
    <span className="flex items-center gap-2 sm:max-xl:*:first:hidden print:*:first:hidden">
      <LimitBar share={share} look={look} />
      <span className="min-w-12 text-right tabular-nums">{formatShare(share)}</span>
    </span>
  );
}

interface Props {
  used: number;
  /** Null if unlimited. */
  limit: number | null;
  unit: Unit;
}

/** The used part of a limit, as a bar and in words. */
export function QuotaBar({ used, limit, unit }: Props) {
  const share = Math.min(1, quotaShare({ used, limit }) ?? 0);
  return (
    <div className="grid gap-1">
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-raised">
        <div
          className={`is-data h-full rounded-full ${usedLook(share)}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <p className="text-muted tabular-nums">
        {limit === null
          ? `${formatCount(used)} ${unit}, unlimited`
          : `${formatCount(used)} of ${formatCount(limit)} ${unit}`}
      </p>
    </div>
  );
}
