import { neverMs } from '../keys/keys.ts';
import type { Standing } from '../quota/decide.ts';

/** To the minute, in UTC: `2026-11-21T03:54Z`. */
export function minute(ms: number): string {
  return new Date(ms).toISOString().replace(/:\d\d\.\d{3}Z$/, 'Z');
}

/** The same of an expiry, where the last moment of the year 9999 stands for none. */
export function expiry(ms: number): string {
  return ms >= neverMs ? 'never' : minute(ms);
}

/** When a quota resets: to the minute, or to the second where the window is one. */
export function reset({ window, resetsAtMs }: Standing): string {
  return window === 'second' ? new Date(resetsAtMs).toISOString().replace('.000Z', 'Z') : minute(resetsAtMs);
}
