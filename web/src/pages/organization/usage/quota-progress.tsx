import type { Organization } from '../../../api/organizations.ts';
import { formatCount, formatShare } from '../../../lib/format.ts';
import { quotaShare, windowShare } from '../../../lib/quota.ts';

interface Props extends Pick<Organization, 'quota'> {
  /** What will have been used at the reset. */
  projected: number | null;
  nowMs: number;
}

const nearlyFull = 0.8;

/** The used part of the limit, what is forecast, and a tick for the part of the window that is over. */
export function QuotaProgress({ quota, projected, nowMs }: Props) {
  const share = Math.min(1, quotaShare(quota) ?? 0);
  const forecast = Math.min(1, projected === null || !quota.limit ? share : projected / quota.limit);
  const time = windowShare(quota, nowMs);
  const look = share >= 1 ? 'bg-danger' : share >= nearlyFull ? 'bg-warning' : 'bg-accent';
  const text = `${formatCount(quota.used)} of ${formatCount(quota.limit ?? 0)} used. ${formatShare(time)} of the ${quota.window} is over.`;
  return (
    <div className="relative" title={text}>
      <div role="img" aria-label={text} className="relative h-2.5 overflow-hidden rounded-full bg-raised">
        <svg aria-hidden width={`${forecast * 100}%`} height="100%" className="absolute text-edge">
          <pattern
            id="forecast"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="2" height="6" fill="currentColor" />
          </pattern>
          <rect width="100%" height="100%" fill="url(#forecast)" />
        </svg>
        <div
          className={`absolute h-full rounded-full transition-[width] duration-200 ${look}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <span
        aria-hidden
        className="absolute -inset-y-1 w-0.5 rounded-full bg-ink"
        style={{ left: `${time * 100}%` }}
      />
    </div>
  );
}
