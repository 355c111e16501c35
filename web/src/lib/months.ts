const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', year: '2-digit', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** The calendar month (UTC) `back` months before now, as YYYY-MM. */
export function monthBefore(nowMs: number, back: number): string {
  const now = new Date(nowMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7);
}

/** All of these take YYYY-MM or YYYY-MM-DD. */
export const formatMonth = (month: string): string => monthName.format(Date.parse(month));
export const formatShortMonth = (month: string): string => shortMonth.format(Date.parse(month));
export const formatShortDay = (day: string): string => shortDay.format(Date.parse(day));
