import type { Limit } from '../../../api/limits.ts';
import { formatCount, formatCountdown } from '../../../lib/format.ts';
import { isRate } from '../../../lib/quota.ts';

export const units: Readonly<Record<Limit['unit'], string>> = {
  requests: 'Requests',
  texts: 'Texts',
  tokens: 'Tokens',
};

export const windows: Readonly<Record<Limit['window'], string>> = {
  second: 'Each second',
  minute: 'Each minute',
  hour: 'Each hour',
  day: 'Each day',
  month: 'Each month',
};

/** Returns, for example, `1 token`. */
export const formatUnits = (count: number, unit: Limit['unit']): string =>
  `${formatCount(count)} ${count === 1 ? unit.slice(0, -1) : unit}`;

/** Returns, for example, `100,000 tokens per minute`. */
export const describeLimit = ({ amount, unit, window }: Limit): string =>
  `${formatUnits(amount, unit)} per ${window}`;

/** Returns, for example, `requests wait up to 30 s`; undefined if requests above the limit are refused at once. */
export const describeWait = ({ max_wait_seconds: seconds }: Limit): string | undefined =>
  seconds === null ? undefined : `requests wait up to ${seconds} s`;

const minuteMs = 60_000;

/** Returns when the limit starts again at zero, such as `Every minute` or `In 8 days 1 hour`. */
export function formatLimitReset({ window, resets_at }: Limit, nowMs: number): string {
  if (isRate({ window })) return `Every ${window}`;
  // From a whole minute on, so that no seconds are shown that don't tick.
  const countdown = formatCountdown(Date.parse(resets_at), Math.floor(nowMs / minuteMs) * minuteMs);
  return countdown === 'now' ? 'Now' : `In ${countdown}`;
}
