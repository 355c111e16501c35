import type { Projection } from '../../../api/usage.ts';
import { formatCount, formatDay } from '../../../lib/format.ts';

export function ProjectionNote({ projection }: { projection: Projection | null }) {
  if (!projection) {
    return (
      <p className="min-h-11 text-muted">
        There is too little to go by: a projection needs two days of usage in the last week, and a monthly
        quota.
      </p>
    );
  }
  const { counted, from, per_day, used_at_reset, exhausts_at } = projection;
  return (
    <div className="grid min-h-11 gap-1">
      <p className="font-medium">
        {exhausts_at
          ? `At this pace the quota ends on ${formatDay(exhausts_at)}.`
          : `At this pace ${formatCount(used_at_reset)} requests will be used by the reset.`}
      </p>
      <p className="text-muted">
        Reckoned from {formatCount(counted)} requests since {formatDay(from)}:{' '}
        {formatCount(Math.round(per_day))} a day, taken to go on.
      </p>
    </div>
  );
}
