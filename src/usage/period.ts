import { invalidField } from '../errors.ts';
import { monthDays } from '../quota/window.ts';

/** Days since the Unix epoch; `endDay` is exclusive. */
export interface Period {
  readonly firstDay: number;
  readonly endDay: number;
  /** The hours since the Unix epoch, unless it is the whole days; `end` is exclusive. */
  readonly hours?: { readonly first: number; readonly end: number };
}

export type Grain = 'day' | 'month';

/** What usage is added up by in the database. */
export type Unit = 'hour' | 'day';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxDays = 800;

/**
 * Parses the period from `from` to `to`: days as `YYYY-MM-DD` in UTC, both inclusive, or whole hours, of which the second
 * is exclusive. Without `from`, it starts with the month of `to`; without `to`, it ends with today, or with this hour if
 * `from` is an hour. Throws `invalid_request`.
 */
export function parsePeriod(from: string | undefined, to: string | undefined, nowMs: number): Period {
  const isHourly = [from, to].some((text) => text?.includes('T'));
  const lengthMs = isHourly ? hourMs : dayMs;
  const endMs = to === undefined ? (Math.floor(nowMs / lengthMs) + 1) * lengthMs : parse(to, 'to', dayMs);
  const firstMs = from === undefined ? monthDays(endMs - 1).firstDay * dayMs : parse(from, 'from', 0);
  if (firstMs >= endMs) {
    throw invalidField('from', 'from must not be later than to');
  }
  if (endMs - firstMs > maxDays * dayMs) {
    throw invalidField('from', `from and to may be at most ${maxDays} days apart`);
  }
  const days = { firstDay: Math.floor(firstMs / dayMs), endDay: Math.ceil(endMs / dayMs) };
  return { ...days, ...(isHourly && { hours: { first: firstMs / hourMs, end: endMs / hourMs } }) };
}

/** Returns the preceding period of the same length. */
export function before({ firstDay, endDay, hours }: Period): Period {
  if (!hours) return { firstDay: firstDay - (endDay - firstDay), endDay: firstDay };
  const first = hours.first - (hours.end - hours.first);
  return {
    firstDay: Math.floor(first / 24),
    endDay: Math.ceil(hours.first / 24),
    hours: { first, end: hours.first },
  };
}

/** Returns the first and the last unit of a period, the latter exclusive. By default in the unit that it consists of. */
export function boundsOf({ firstDay, endDay, hours }: Period, unit: Unit = hours ? 'hour' : 'day') {
  if (unit === 'day') return { first: firstDay, end: endDay, unit };
  return { ...(hours ?? { first: firstDay * 24, end: endDay * 24 }), unit };
}

/** Returns how the API names a period: by its first and last day, or by its first moment and its end. */
export function periodTexts({ firstDay, endDay, hours }: Period): { from: string; to: string } {
  if (!hours) return { from: dayText(firstDay), to: dayText(endDay - 1) };
  const momentOf = (hour: number) => new Date(hour * hourMs).toISOString();
  return { from: momentOf(hours.first), to: momentOf(hours.end) };
}

/** Returns the day in the form `2026-11-21`. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Returns the label of an hour's or a day's figures: the hour in the form `2026-11-21T05:00`, the day, or its month. */
export function labelOf(day: number, grain: Grain | 'hour'): string {
  if (grain === 'hour') return `${new Date(day * hourMs).toISOString().slice(0, 13)}:00`;
  return grain === 'day' ? dayText(day) : dayText(day).slice(0, 7);
}

/** Returns all labels of a period, in order. */
export function labelsOf({ firstDay, endDay }: Period, grain: Grain): string[] {
  const labels = new Set<string>();
  for (let day = firstDay; day < endDay; day += 1) labels.add(labelOf(day, grain));
  return [...labels];
}

/** Returns the beginning of an hour, or of a day `afterMs` later. */
function parse(text: string, param: string, afterMs: number): number {
  const isDay = !text.includes('T');
  const moment = isDay ? `${text}T00:00Z` : text;
  const ms = Date.parse(moment);
  // Date.parse rolls over days that don't exist, such as June 31.
  const exists = ms % hourMs === 0 && new Date(ms).toISOString().startsWith(moment.slice(0, 13));
  if (exists) return isDay ? ms + afterMs : ms;
  throw invalidField(
    param,
    `${param} must be a day such as 2026-11-21, or a whole hour such as 2026-11-21T05:00Z`,
  );
}
