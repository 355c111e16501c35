export const windowKinds = ['second', 'minute', 'hour', 'day', 'month'] as const;

/** Calendar windows in UTC: `month` is a calendar month, not 30 days. */
export type WindowKind = (typeof windowKinds)[number];

/** The window of a limit. `none`: the limit counts what is in progress, and never resets. */
export type LimitWindow = WindowKind | 'none';

/** Reports whether a request can wait for room in such a window. */
export const canWaitFor = (window: LimitWindow): boolean => ['second', 'minute', 'none'].includes(window);

/** Milliseconds since the Unix epoch. `endMs` is exclusive: it is the time of the reset. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

const fixedLengthMs = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export function windowAt(kind: LimitWindow, nowMs: number): Window {
  if (kind === 'none') return { startMs: 0, endMs: Number.MAX_SAFE_INTEGER };
  if (kind === 'month') {
    const now = new Date(nowMs);
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) };
  }
  const lengthMs = fixedLengthMs[kind];
  const startMs = Math.floor(nowMs / lengthMs) * lengthMs;
  return { startMs, endMs: startMs + lengthMs };
}

/** Returns the whole days since the Unix epoch. Usage is recorded per day. */
export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / fixedLengthMs.day);
}

/** Returns `nowMs`, or the time of `day` that is nearest to it. */
export function timeIn(day: number, nowMs: number): number {
  const { startMs, endMs } = windowAt('day', day * fixedLengthMs.day);
  return Math.min(Math.max(nowMs, startMs), endMs - 1);
}

/** Returns the first day of the calendar month that contains `nowMs`, and the day after its last. */
export function monthDays(nowMs: number): { firstDay: number; endDay: number } {
  const { startMs, endMs } = windowAt('month', nowMs);
  return { firstDay: dayOf(startMs), endDay: dayOf(endMs) };
}
