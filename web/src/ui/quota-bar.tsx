import type { Unit } from '../api/organizations.ts';
import { formatCount } from '../lib/format.ts';
import { quotaShare } from '../lib/quota.ts';

interface Props {
  used: number;
  /** Null if unlimited. */
  limit: number | null;
  unit: Unit;
}

const nearlyFull = 0.8;

/** The used part of the quota, as a bar and in words. */
export function QuotaBar({ used, limit, unit }: Props) {
  const share = Math.min(1, quotaShare({ used, limit }) ?? 0);
  const look = share >= 1 ? 'bg-danger' : share >= nearlyFull ? 'bg-warning' : 'bg-accent';
  return (
    <div className="grid gap-1">
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-raised">
        <div className={`h-full rounded-full ${look}`} style={{ width: `${share * 100}%` }} />
      </div>
      <p className="text-muted tabular-nums">
        {limit === null
          ? `${formatCount(used)} ${unit}, unlimited`
          : `${formatCount(used)} of ${formatCount(limit)} ${unit}`}
      </p>
    </div>
  );
}
