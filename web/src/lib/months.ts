import { serviceTime } from './service-time.ts';

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const fullDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Returns the calendar month (UTC) `back` months before now, as YYYY-MM. */
export function monthBefore(nowMs: number, back: number): string {
  const now = new Date(nowMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7);
}

/** Returns the day of a moment (UTC), as YYYY-MM-DD. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the last day of a month such as 2026-11, in milliseconds. */
export function lastDayOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number, 0);
}

/** Returns `November 2026` for 2026-11. */
export const formatMonth = (month: string): string => monthName.format(Date.parse(month));

/** Returns `Nov 21, 2026` for 2026-11-21 or a moment of that day, in UTC. */
export const formatFullDay = (day: string): string => fullDay.format(Date.parse(day));

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** Returns `Nov 2026` for 2026-11, `Nov 21` for 2026-11-21, and `05:00` for 2026-11-21T05:00. */
export function formatPeriod(period: string): string {
  if (period.length > 'YYYY-MM-DD'.length) return hour.format(Date.parse(`${period}:00Z`));
  const format = period.length === 'YYYY-MM'.length ? shortMonth : shortDay;
  return format.format(Date.parse(period));
}

const currentNames = { hour: 'This hour', day: 'Today', month: 'This month' } as const;

/**
 * Returns the name of the last period of a report, or null if it is over. `to` is the report's last day, or the end of
 * its last hour.
 */
export function currentName(by: keyof typeof currentNames, to: string): string | null {
  const isCurrent = to.includes('T') ? Date.parse(to) > serviceTime() : to === dayOf(serviceTime());
  return isCurrent ? currentNames[by] : null;
}
