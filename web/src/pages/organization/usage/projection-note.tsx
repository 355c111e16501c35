import type { Projection } from '../../../api/usage.ts';
import { formatDay } from '../../../lib/format.ts';

export function ProjectionNote({ projection }: { projection: Projection | null }) {
  if (!projection) return <p className="text-muted">There is too little usage yet to look ahead.</p>;
  const { exhausted_at, explanation } = projection;
  return (
    <div className="grid gap-1">
      <p className="font-medium">
        {exhausted_at
          ? `At this pace the quota ends on ${formatDay(exhausted_at)}.`
          : 'At this pace the quota lasts until it resets.'}
      </p>
      <p className="text-muted">{explanation}</p>
    </div>
  );
}
