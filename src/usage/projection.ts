import type { Standing } from '../quota/decide.ts';
import { dayOf } from '../quota/window.ts';

/** Where the quota is heading, and what the forecast is made from. Times in milliseconds since the Unix epoch. */
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

/** What an organization's forecast is made from. Days are since the Unix epoch. */
export interface Pace {
  readonly orgId: string;
  /** The first day with a usage record; null where there is none. */
  readonly firstDay: number | null;
  /** Requests counted in `paceDaysAt`. */
  readonly counted: number;
}

/** The days that a projection at `nowMs` looks at. */
export function paceDaysAt(nowMs: number): { firstDay: number; endDay: number } {
  const endDay = dayOf(nowMs) + 1;
  return { firstDay: endDay - paceDays, endDay };
}

/**
 * The pace of the last seven days, or of the days since the first use where that is later, goes on. Days without requests
 * count: an organization that pauses at weekends will pause at the next one. Null where there are fewer than two days to go by, where
 * nothing was counted, and for windows shorter than a month, which end before a pace shows.
 */
export function project(standing: Standing, pace: Omit<Pace, 'orgId'>, nowMs: number): Projection | null {
  const { firstDay, counted } = pace;
  if (standing.window !== 'month' || firstDay === null || counted === 0) return null;
  const fromMs = Math.max(firstDay, paceDaysAt(nowMs).firstDay) * dayMs;
  if (nowMs - fromMs < minSpanMs) return null;
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
