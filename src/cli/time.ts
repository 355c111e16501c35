import { neverMs } from '../keys/keys.ts';

/** To the minute, in UTC: `2026-11-21T03:54Z`. */
export function minute(ms: number): string {
  return new Date(ms).toISOString().replace(/:\d\d\.\d{3}Z$/, 'Z');
}

/** The same of an expiry, where the last moment of the year 9999 stands for none. */
export function expiry(ms: number): string {
  return ms >= neverMs ? 'never' : minute(ms);
}
