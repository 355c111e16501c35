import type { ReactNode } from 'react';
import type { Organization } from '../../../api/organizations.ts';
import { formatAgo, formatCount, formatCountdown, formatMoment, formatShare } from '../../../lib/format.ts';
import { isRate } from '../../../lib/quota.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Card } from '../../../ui/card.tsx';
import { QuotaBar } from '../../../ui/quota-bar.tsx';
import { RateLimit } from './rate-limit.tsx';

interface Props extends Pick<Organization, 'quota'> {
  /** When the figures were loaded, or 0 if they have not been. */
  updatedAtMs: number;
  /** Whether the last attempt to refresh them has failed. */
  isStale: boolean;
  /** The forecast. */
  children: ReactNode;
}

/** The usage of the organization, compared with its limit. */
export function Standing({ quota, updatedAtMs, isStale, children }: Props) {
  const nowMs = useNow(1_000);
  if (isRate(quota)) return <RateLimit quota={quota} />;
  const { used, limit, unit, remaining, window, resets_at } = quota;
  const resetMs = Date.parse(resets_at);
  const left = formatCountdown(resetMs, nowMs);
  const updated = `Updated ${formatAgo(new Date(Math.min(updatedAtMs, nowMs)).toISOString(), nowMs)}`;
  return (
    <Card
      title={`This ${window}`}
      actions={
        updatedAtMs > 0 && (
          <span className={isStale ? 'font-medium text-warning' : 'text-muted'}>
            {isStale ? `Reconnecting… ${updated}` : updated}
          </span>
        )
      }
    >
      <div className="grid gap-4">
        <QuotaBar used={used} limit={limit} unit={unit} />
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Figure
            name="Used"
            value={formatCount(used)}
            more={limit ? formatShare(used / limit) : undefined}
          />
          <Figure
            name="Limit"
            value={limit === null ? 'Unlimited' : formatCount(limit)}
            more={`per ${window}`}
          />
          <Figure name="Remaining" value={remaining === null ? 'Unlimited' : formatCount(remaining)} />
          {nowMs < resetMs ? (
            <Figure name="Resets in" value={left} more={formatMoment(resets_at)} />
          ) : (
            <Figure
              name="Reset"
              value={isStale ? 'Not known' : 'Refreshing…'}
              more={formatMoment(resets_at)}
            />
          )}
        </dl>
        <div className="border-line border-t pt-4">{children}</div>
      </div>
    </Card>
  );
}

function Figure({ name, value, more }: { name: string; value: string; more?: string | undefined }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold text-lg tabular-nums">{value}</dd>
      {more && <dd className="text-muted">{more}</dd>}
    </div>
  );
}
