/** Each class of latency is this many times as wide as the one before. */
const factor = 1.25;
const maxMs = 120_000;
const logFactor = Math.log(factor);
const lastClass = Math.ceil(Math.log(maxMs) / logFactor);

/** The class of what has no latency that a client sees: a line of a batch. */
export const noLatency = -1;

/**
 * Returns the class of a duration. Class 0 ends at 1 ms and class n at 1.25ⁿ ms. The bounds never change, so that the
 * counts of different hours and processes can be added up.
 */
export function latencyClassOf(ms: number): number {
  if (!(ms > 1)) return 0;
  return Math.min(lastClass, Math.ceil(Math.log(ms) / logFactor));
}

/**
 * Returns the latency, in milliseconds, that the share `p` of the requests does not exceed. Interpolates within a
 * class. Null: there are no requests. `counts` has the number of requests by class.
 */
export function percentileOf(counts: ReadonlyMap<number, number>, p: number): number | null {
  const classes = [...counts].sort(([a], [b]) => a - b);
  const total = classes.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  for (const [place, count] of classes) {
    if (before + count >= p * total && count > 0) {
      const from = place === 0 ? 0 : factor ** (place - 1);
      const ms = from + (factor ** place - from) * ((p * total - before) / count);
      return Number(ms.toPrecision(3));
    }
    before += count;
  }
  return null;
}
