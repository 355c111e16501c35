import type { Organization } from '../../../api/organizations.ts';
import type { Projection } from '../../../api/usage.ts';
import { formatCount, formatDay, formatMoment } from '../../../lib/format.ts';
import { formatPeriod } from '../../../lib/months.ts';
import { isUsedUp } from '../../../lib/quota.ts';

interface Props extends Pick<Organization, 'quota'> {
  projection: Projection | null;
}

export function ProjectionNote({ projection, quota }: Props) {
  if (isUsedUp(quota, Date.now())) {
    return (
      <p className="min-h-11 font-medium">
        The quota is used up. Requests that are not in the cache get 429 until {formatMoment(quota.resets_at)}
        .
      </p>
    );
  }
  if (!projection) {
    return (
      <p className="min-h-11 text-muted">
        {quota.window === 'month' && quota.unit === 'requests'
          ? 'Not enough data yet. Forecasts appear after two days of usage.'
          : 'Forecasts are available for monthly limits of requests.'}
      </p>
    );
  }
  const { counted, from, per_day, used_at_reset, exhausts_at } = projection;
  return (
    <div className="grid min-h-11 gap-1">
      <p className="font-medium">
        {exhausts_at
          ? `At this rate you’ll reach your limit on ${formatDay(exhausts_at)}.`
          : `At this rate you’ll have used ${formatCount(used_at_reset)} requests by the reset.`}
      </p>
      <p className="text-muted">
        Forecast from {formatCount(counted)} requests since {formatPeriod(from.slice(0, 10))} UTC (
        {formatCount(Math.round(per_day))} requests/day).
      </p>
    </div>
  );
}
