import type { Standings } from '../../../quota/known-standings.ts';
import type { Headers } from '../dialect.ts';

interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAtMs: number;
}

/** Returns `x-ratelimit-*-requests` and `-tokens`: for each unit, the limit that has the least left. */
export function openaiRateLimits({ quota, limits }: Standings, nowMs: number): Headers {
  const headers: Record<string, string> = {};
  for (const unit of ['requests', 'tokens'] as const) {
    const rates: Rate[] = limits
      .filter((limit) => limit.unit === unit)
      .map(({ amount, used, resetsAtMs }) => rateOf(amount, used, resetsAtMs));
    if (unit === quota.unit && quota.limit !== null)
      rates.push(rateOf(quota.limit, quota.used, quota.resetsAtMs));
    const [tightest] = rates.sort((a, b) => a.remaining - b.remaining);
    if (!tightest) continue;
    headers[`x-ratelimit-limit-${unit}`] = String(tightest.limit);
    headers[`x-ratelimit-remaining-${unit}`] = String(tightest.remaining);
    headers[`x-ratelimit-reset-${unit}`] = duration(tightest.resetsAtMs - nowMs);
  }
  return headers;
}

const rateOf = (limit: number, used: number, resetsAtMs: number): Rate => ({
  limit,
  remaining: Math.max(0, limit - used),
  resetsAtMs,
});

/** Writes a time as OpenAI does: `6m0s`, and `120ms` below a second. */
function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${seconds >= 60 ? `${minutes}m` : ''}${seconds % 60}s`;
}
