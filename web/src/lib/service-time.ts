/** How far the service's clock is ahead of the browser's, which may be wrong. */
let aheadMs = 0;
/** A response states its time in whole seconds, and is under way for a while. */
const inexactMs = 2_000;

/** Learns the service's time from the header `Date` of a response. */
export function learnTime(date: string | null): void {
  const ms = Date.parse(date ?? '') - Date.now();
  if (Math.abs(ms - aheadMs) > inexactMs) aheadMs = Math.abs(ms) > inexactMs ? ms : 0;
}

/** Returns the time by the service's clock, in milliseconds, now or at a time by the browser's. */
export const serviceTime = (browserMs = Date.now()): number => browserMs + aheadMs;
