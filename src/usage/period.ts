import { invalidField } from '../errors.ts';
import { dayOf, monthDays } from '../quota/window.ts';

/** Days since the Unix epoch; `endDay` is exclusive. */
export interface Period {
  readonly firstDay: number;
  readonly endDay: number;
}

export type Grain = 'day' | 'month';

const dayMs = 86_400_000;
const maxDays = 800;

/**
 * Parses the period from `from` to `to`, both inclusive, as `YYYY-MM-DD` in UTC. Without `from`, it starts with the
 * month of `to`; without `to`, it ends today. Throws `invalid_request`.
 */
export function parsePeriod(from: string | undefined, to: string | undefined, nowMs: number): Period {
  const endDay = (to === undefined ? dayOf(nowMs) : parseDay(to, 'to')) + 1;
  const firstDay = from === undefined ? monthDays((endDay - 1) * dayMs).firstDay : parseDay(from, 'from');
  if (firstDay >= endDay) {
    throw invalidField('from', 'from must not be later than to');
  }
  if (endDay - firstDay > maxDays) {
    throw invalidField('from', `from and to may be at most ${maxDays} days apart`);
  }
  return { firstDay, endDay };
}

/** Returns the preceding period of the same length. */
export function before({ firstDay, endDay }: Period): Period {
  return { firstDay: firstDay - (endDay - firstDay), endDay: firstDay };
}

/** Returns the day in the form `2026-11-21`. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Returns the label of a day's figures: the day, or its month. */
export function labelOf(day: number, grain: Grain): string {
  return grain === 'day' ? dayText(day) : dayText(day).slice(0, 7);
}

/** Returns all labels of a period, in order. */
export function labelsOf({ firstDay, endDay }: Period, grain: Grain): string[] {
  const labels = new Set<string>();
  for (let day = firstDay; day < endDay; day += 1) labels.add(labelOf(day, grain));
  return [...labels];
}

function parseDay(text: string, param: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse rolls over days that don't exist, such as June 31.
  if (Number.isFinite(ms) && dayText(dayOf(ms)) === text) return dayOf(ms);
  throw invalidField(param, `${param} must be a day such as 2026-11-21`);
}
