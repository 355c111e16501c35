import { setTimeout as after } from 'node:timers/promises';

/** A source of the current time that tests can replace. */
export interface Clock {
  /** Milliseconds since the Unix epoch, or, for a monotonic clock, since an arbitrary start. */
  now(): number;
}

/** A clock for measuring durations. It is never set, and its start has no meaning. */
export const monotonicClock: Clock = { now: () => performance.now() };

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Returns the result of `work`. Throws when it takes longer than `deadlineMs`; `work` then continues, and its result is
 * ignored.
 */
export async function within<R>(deadlineMs: number, work: Promise<R>): Promise<R> {
  const passed = new AbortController();
  const late = after(deadlineMs, undefined, { signal: passed.signal, ref: false }).then(() => {
    throw new Error(`no answer within ${deadlineMs} ms`);
  });
  work.catch(() => {});
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    passed.abort();
  }
}
