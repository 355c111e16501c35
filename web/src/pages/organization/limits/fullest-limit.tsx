import type { Limit } from '../../../api/limits.ts';
import { formatCount } from '../../../lib/format.ts';
import { ShareBar, usedLook } from '../../../ui/bar.tsx';
import { describeLimit } from './limit-text.ts';

/** The column of what is used of the limit that is nearest to its end. */
export const fullest = { name: 'Limit' };

/** How much of a limit is used, for a row of whose limit it is. */
export function FullestLimit({ limit }: { limit: Limit }) {
  const share = limit.used / limit.amount;
  return (
    <span title={`${formatCount(limit.used)} of ${describeLimit(limit)}`}>
      <ShareBar share={share} look={usedLook(share)} />
    </span>
  );
}
