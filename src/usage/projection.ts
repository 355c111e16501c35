import type { Standing } from '../quota/decide.ts';
import { dayOf } from '../quota/window.ts';

/** A forecast of the quota, and the figures that it is based on. Times are in milliseconds since the Unix epoch. */
export interface Projection {
  /** The period that the rate is measured in, and the requests counted in it. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly counted: number;
  readonly perDay: number;
  /** The forecast of requests counted at the reset, ignoring the limit. */
  readonly usedAtReset: number;
  /** Null: the quota lasts until the reset. */
  readonly exhaustsAtMs: number | null;
}

const dayMs = 86_400_000;
/** A whole week, so that a weekend does not look like a change. */
const paceDays = 7;
const minSpanMs = 2 * dayMs;

/** The figures that an organization's forecast is based on. Days are since the Unix epoch. */
export interface Pace {
  readonly orgId: string;
  /** The first day with a usage record; null if there is none. */
  readonly firstDay: number | null;
  /** Requests counted in the days that `paceDaysAt` returns. */
  readonly counted: number;
}

/** Returns the days that a forecast at `nowMs` is based on. */
export function paceDaysAt(nowMs: number): { firstDay: number; endDay: number } {
  const endDay = dayOf(nowMs) + 1;
  return { firstDay: endDay - paceDays, endDay };
}

/**
 * Returns a forecast that continues the rate of the last seven days, or since the first use if that is later. Days
 * without requests count: an organization that pauses at weekends will pause at the next one. Returns null if there are
 * fewer than two days of data, if nothing was counted, for windows other than a month, which end before a rate shows,
 * and for units other than requests.
 */
export function project(standing: Standing, pace: Omit<Pace, 'orgId'>, nowMs: number): Projection | null {
  const { firstDay, counted } = pace;
  if (standing.window !== 'month' || standing.unit !== 'requests' || firstDay === null || counted === 0)
    return null;
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
