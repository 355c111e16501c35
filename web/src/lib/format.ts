import { serviceTime } from './service-time.ts';

const whole = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en-US', { style: 'percent' });
const change = new Intl.NumberFormat('en-US', {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
});
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const momentOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
  timeZoneName: 'short',
} as const;
const momentFormat = new Intl.DateTimeFormat('en-US', momentOptions);
const instantFormat = new Intl.DateTimeFormat('en-US', { ...momentOptions, second: '2-digit' });

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const formatCount = (count: number): string => whole.format(count);
/** Formats the number of rows of a list, which the service counts up to 10,000. */
export const formatTotal = (total: number): string =>
  total === 10_000 ? `${formatCount(total)}+` : formatCount(total);
/** Returns a short number for an axis, such as 12.5K. */
export const formatShortCount = (count: number): string => short.format(count);
/** Formats a share from 0 to 1 in whole percents. A small one is not shown as 0, and nearly all is not shown as 100. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '<1%';
  return share > 0.99 && share < 1 ? '>99%' : percent.format(share);
}
/** Returns, for example, `+50%` for 0.5, and `×12` for 11. */
export const formatChange = (ratio: number): string =>
  ratio < 10 ? change.format(ratio) : `×${formatCount(Math.round(ratio + 1))}`;
/** Returns the moment that an API in OpenAI's format states in seconds. */
export const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();
/** Returns the day in the reader's own time zone, like formatMoment. */
export const formatDay = (iso: string): string => dayFormat.format(new Date(iso));
export const formatMoment = (iso: string): string => momentFormat.format(new Date(iso));
/** Returns the moment with its second. */
export const formatInstant = (iso: string): string => instantFormat.format(new Date(iso));

const endMomentFormat = new Intl.DateTimeFormat('en-US', { ...momentOptions, timeZone: 'UTC' });
/** Returns the end of a key, such as `Dec 31, 2026, 23:59 UTC`: in UTC, so that it is the same everywhere and for everyone. */
export const formatEndMoment = (iso: string): string => endMomentFormat.format(new Date(iso));

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns the two largest parts of the time left, such as `9 days 4 hours`. */
export function formatCountdown(untilMs: number, nowMs: number): string {
  let seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1_000));
  const parts = spans.flatMap(([name, length]) => {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    return count > 0 ? [`${count} ${name}${count === 1 ? '' : 's'}`] : [];
  });
  return parts.slice(0, 2).join(' ') || 'now';
}

const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** Returns, for example, `3 hours ago`, or the date of anything older than a month. */
export function formatAgo(iso: string, nowMs = serviceTime()): string {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1_000);
  if (Math.abs(seconds) > 30 * 86_400) return formatDay(iso);
  for (const [unit, length] of spans) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return 'just now';
}

/** Returns the same for a moment of which only the day (UTC) may be known: then it is the day's beginning. */
export function formatAgoOrDay(iso: string, nowMs = serviceTime()): string {
  if (!iso.endsWith('T00:00:00.000Z')) return formatAgo(iso, nowMs);
  return relative.format(Math.floor(Date.parse(iso) / 86_400_000) - Math.floor(nowMs / 86_400_000), 'day');
}

const shortDayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
/** Returns the hour and the minute of a moment in the reader's own time zone. */
export const formatClock = (iso: string): string => clockFormat.format(new Date(iso));

/** Returns the time of a moment in the reader's own time zone, and its day if it is not today. */
export function formatTime(iso: string, nowMs = serviceTime()): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date(nowMs).toDateString();
  return isToday ? timeFormat.format(at) : `${shortDayFormat.format(at)} ${timeFormat.format(at)}`;
}

/** Returns a duration of milliseconds with a unit, such as `8.4 ms` or `1.2 s`. */
export function formatLatency(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1_000)} s`;
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Returns a number of bytes with a unit, such as `12.4 MiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1_024 ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${sizes[power]}`;
}
