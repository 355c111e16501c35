import type { Limit } from '../../../api/limits.ts';
import { capitalized, formatMoment } from '../../../lib/format.ts';
import { formatReset } from '../../../lib/quota.ts';

/** When a limit resets. A limit of requests at a time never does. */
export function LimitReset({ limit: { window, resets_at }, nowMs }: { limit: Limit; nowMs: number }) {
  if (window === null || resets_at === null) return 'Never';
  return (
    <span title={formatMoment(resets_at)}>{capitalized(formatReset({ window, resets_at }, nowMs))}</span>
  );
}
