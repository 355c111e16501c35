import type { ReactNode } from 'react';
import type { Organization } from '../../../api/organizations.ts';
import { formatCount, formatCountdown, formatMoment, formatShare } from '../../../lib/format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Card } from '../../../ui/card.tsx';
import { QuotaBar } from '../../../ui/quota-bar.tsx';

interface Props extends Pick<Organization, 'quota'> {
  /** Where this is heading. */
  children: ReactNode;
}

/** Where the organization stands against its limit. */
export function Standing({ quota, children }: Props) {
  const nowMs = useNow(1_000);
  const { used, limit, remaining, window, resets_at } = quota;
  return (
    <Card title={`This ${window}`}>
      <div className="grid gap-4">
        <QuotaBar used={used} limit={limit} />
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Figure
            name="Used"
            value={formatCount(used)}
            more={limit ? formatShare(used / limit) : undefined}
          />
          <Figure
            name="Limit"
            value={limit === null ? 'Unlimited' : formatCount(limit)}
            more={`a ${window}`}
          />
          <Figure name="Remaining" value={remaining === null ? 'Unlimited' : formatCount(remaining)} />
          <Figure
            name="Resets in"
            value={formatCountdown(Date.parse(resets_at), nowMs)}
            more={formatMoment(resets_at)}
          />
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
