import type { Standing } from '../quota/decide.ts';
import { dayOf } from '../quota/window.ts';

/** Where the quota is heading, and what that was reckoned from. Times in milliseconds since the Unix epoch. */
export interface Projection {
  /** The stretch whose pace is taken to go on, and the requests counted in it. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly counted: number;
  readonly perDay: number;
  /** Requests counted at the reset, if nothing stops them. */
  readonly usedAtReset: number;
  /** Null: the quota lasts until the reset. */
  readonly exhaustsAtMs: number | null;
}

const dayMs = 86_400_000;
/** A week has all its days in it, so that a weekend does not look like a change. */
const paceDays = 7;
const minSpanMs = 2 * dayMs;

/** The first day that a projection at `nowMs` looks at. */
export const paceFrom = (nowMs: number): number => dayOf(nowMs) - (paceDays - 1);

/**
 * The pace of the last seven days, or of the days since the first use where that is later, goes on. Null where there are fewer
 * than two days to go by, where nothing was counted, and for windows shorter than a month, which end before a pace shows.
 * `days`: what was counted by day, from `paceFrom` on.
 */
export function project(
  standing: Standing,
  days: readonly { readonly day: number; readonly counted: number }[],
  nowMs: number,
): Projection | null {
  if (standing.window !== 'month') return null;
  const used = days.filter(({ day, counted }) => counted > 0 && day >= paceFrom(nowMs));
  const [first] = used;
  if (!first) return null;
  const fromMs = first.day * dayMs;
  if (nowMs - fromMs < minSpanMs) return null;
  const counted = used.reduce((sum, day) => sum + day.counted, 0);
  const perDay = counted / ((nowMs - fromMs) / dayMs);
  const leftDays = Math.max(0, standing.resetsAtMs - nowMs) / dayMs;
  return {
    fromMs,
    toMs: nowMs,
    counted,
    perDay,
    usedAtReset: Math.round(standing.used + perDay * leftDays),
    exhaustsAtMs: exhaustion(standing, perDay, nowMs),
  };
}

function exhaustion({ limit, used, resetsAtMs }: Standing, perDay: number, nowMs: number): number | null {
  if (limit === null) return null;
  const atMs = nowMs + (Math.max(0, limit - used) / perDay) * dayMs;
  return atMs < resetsAtMs ? Math.round(atMs) : null;
}
