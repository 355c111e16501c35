import type { Organization } from '../api/organizations.ts';
import { formatCountdown } from './format.ts';

type Quota = Organization['quota'];

const minuteMs = 60_000;

/** The share of the limit that is used, from 0 to more than 1; null: unlimited. */
export function quotaShare({ used, limit }: Pick<Quota, 'used' | 'limit'>): number | null {
  if (limit === null) return null;
  return limit === 0 ? 1 : used / limit;
}

/** When the window ends. Those of a second or a minute are over before anybody has read how long they last. */
export function formatReset({ window, resets_at }: Quota, nowMs: number): string {
  if (window === 'second' || window === 'minute') return `Resets every ${window}`;
  // From a whole minute on, so that no seconds are shown that don't tick.
  const countdown = formatCountdown(Date.parse(resets_at), Math.floor(nowMs / minuteMs) * minuteMs);
  return countdown === 'now' ? 'Resets now' : `Resets in ${countdown}`;
}
