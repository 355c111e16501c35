import type { Organization } from '../../../api/organizations.ts';
import { formatCount } from '../../../lib/format.ts';
import { Card } from '../../../ui/card.tsx';

/** A limit of a window that ends before the page could show its usage. */
export function RateLimit({ quota: { limit, unit, window } }: Pick<Organization, 'quota'>) {
  return (
    <Card title="Rate limit">
      <div className="grid gap-1">
        <p className="font-semibold text-lg tabular-nums">
          {limit === null ? 'Unlimited' : `Up to ${formatCount(limit)} ${unit} per ${window}`}
        </p>
        <p className="text-muted">
          Resets every {window}. Requests above the limit get 429 and can be sent again in the next {window}.
          Forecasts are available for monthly limits of requests.
        </p>
      </div>
    </Card>
  );
}
