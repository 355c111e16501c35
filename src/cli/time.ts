import { neverMs } from '../keys/keys.ts';
import type { Standing } from '../quota/decide.ts';

/** Returns the time to the minute, in UTC: `2026-11-21T03:54Z`. */
export function minute(ms: number): string {
  return new Date(ms).toISOString().replace(/:\d\d\.\d{3}Z$/, 'Z');
}

/** Returns the time to the minute, or `never` for the last moment of the year 9999. */
export function expiry(ms: number): string {
  return ms >= neverMs ? 'never' : minute(ms);
}

/** Returns when a quota resets, to the minute, or to the second if the window is a second. */
export function reset({ window, resetsAtMs }: Standing): string {
  return window === 'second' ? new Date(resetsAtMs).toISOString().replace('.000Z', 'Z') : minute(resetsAtMs);
}
