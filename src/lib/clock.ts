/** The one source of the current time, so that tests can decide it. */
export interface Clock {
  /** Milliseconds since the Unix epoch, or, of a monotonic clock, since a time of its own. */
  now(): number;
}

/** For how long things take: it is never set. Its beginning means nothing. */
export const monotonicClock: Clock = { now: () => performance.now() };

export const systemClock: Clock = { now: () => Date.now() };
