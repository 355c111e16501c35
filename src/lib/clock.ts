/** A source of the current time that tests can replace. */
export interface Clock {
  /** Milliseconds since the Unix epoch, or, for a monotonic clock, since an arbitrary start. */
  now(): number;
}

/** A clock for measuring durations. It is never set, and its start has no meaning. */
export const monotonicClock: Clock = { now: () => performance.now() };

export const systemClock: Clock = { now: () => Date.now() };

/** Returns a time, in milliseconds since the Unix epoch, as ISO 8601 in UTC: `2026-11-21T03:54:00.000Z`. */
export function isoTime(ms: number): string;
export function isoTime(ms: number | null): string | null;
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Returns a time on a whole second as ISO 8601 in UTC without milliseconds: `2026-12-01T00:00:00Z`. */
export function isoSeconds(ms: number): string {
  return isoTime(ms).replace('.000Z', 'Z');
}

/**
 * Returns the result of `work`. Throws when it takes longer than `deadlineMs`; `work` then continues, and its result is
 * ignored.
 */
export async function within<R>(deadlineMs: number, work: Promise<R>): Promise<R> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs);
  timer.unref();
  work.catch(() => {});
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
