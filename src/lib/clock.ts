/** A source of the current time that tests can replace. */
export interface Clock {
  /** Milliseconds since the Unix epoch, or, for a monotonic clock, since an arbitrary start. */
  now(): number;
}

/** A clock for measuring durations. It is never set, and its start has no meaning. */
export const monotonicClock: Clock = { now: () => performance.now() };

export const systemClock: Clock = { now: () => Date.now() };
