import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dayOf, lastDayOf, monthBefore } from '../lib/months.ts';
import { refreshAfterMs } from '../lib/quota.ts';
import { serviceTime } from '../lib/service-time.ts';
import { call, rowsOf } from './client.ts';
import { keyOf } from './organizations.ts';
import { pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type UsageReport = components['schemas']['UsageReport'];
/** What a key used of a deprecated model in the last 30 days. */
export type DeprecatedUsage = components['schemas']['DeprecatedUsage'];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Periods that end now, and their days. */
export const ranges = {
  'last-24-hours': { name: 'Last 24 hours', days: 1 },
  'last-7-days': { name: 'Last 7 days', days: 7 },
  'last-30-days': { name: 'Last 30 days', days: 30 },
  'last-90-days': { name: 'Last 90 days', days: 90 },
  'last-12-months': { name: 'Last 12 months', days: 365 },
} as const;
export type Range = keyof typeof ranges;
export const lastDays = 'last-30-days' satisfies Range;
export const lastYear = 'last-12-months' satisfies Range;
const lastHours = 'last-24-hours' satisfies Range;

export const isRange = (period: string): period is Range => Object.hasOwn(ranges, period);

const firstDay = '1970-01-01';

/** A report covers at most as many, although usage is kept for longer. */
export const maxDays = 800;

/** Returns the period that an address names, if it is valid, and otherwise the last days. */
export function periodOf(text = ''): string {
  // A month as YYYY-MM, or two days that a colon joins.
  const [from = '', to = ''] = text.length === 7 ? [`${text}-01`, `${text}-01`] : text.split(':');
  const days = isDay(from) && isDay(to) ? (Date.parse(to) - Date.parse(from)) / dayMs : -1;
  const hasBegun = from >= firstDay && from <= dayOf(serviceTime());
  return isRange(text) || (hasBegun && days >= 0 && days < maxDays) ? text : lastDays;
}

/** Reports whether a text is a day that exists. A date turns February 31 into March 3. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(text)) && dayOf(Date.parse(text)) === text;

/**
 * Returns the first and the last day, both included, or the beginning of the first hour and the end of this one.
 * `isCompared`: whole weeks, so that the period before has the same days of the week at the same places.
 */
export function daysOf(period: string, isCompared = false): { from: string; to: string } {
  const nowMs = serviceTime();
  if (period === lastHours) {
    const endMs = Math.floor(nowMs / hourMs + 1) * hourMs;
    return { from: new Date(endMs - dayMs).toISOString(), to: new Date(endMs).toISOString() };
  }
  if (period === lastYear) return { from: `${monthBefore(nowMs, 11)}-01`, to: dayOf(nowMs) };
  if (isRange(period)) {
    const { days } = ranges[period];
    const shown = isCompared && days > 7 ? days - (days % 7) : days;
    return { from: dayOf(nowMs - (shown - 1) * dayMs), to: dayOf(nowMs) };
  }
  const [from, to] = period.split(':');
  if (from && to) return { from, to };
  return { from: `${period}-01`, to: dayOf(Math.min(nowMs, lastDayOf(period))) };
}

/** Returns what each bar of a period stands for. */
export function grainOf(period: string): 'hour' | 'day' | 'month' {
  if (period === lastHours) return 'hour';
  return period === lastYear ? 'month' : 'day';
}

export type Grouping = 'outcome' | 'key' | 'model';

interface Shown {
  readonly group?: Grouping;
  /** Whether to load the period before, too. */
  readonly isCompared?: boolean;
  /** How many keys to load. */
  readonly maxKeys?: number;
}

/** How many keys or models a page shows first: thousands of rows would make it slow, and nobody reads them. */
export const rowsAtOnce = 50;

export const usageQuery = (
  org_id: string,
  period: string,
  keyId?: string,
  { group = 'outcome', isCompared = false, maxKeys = rowsAtOnce }: Shown = {},
) =>
  queryOptions({
    queryKey: keyOf(org_id, 'usage', period, keyId ?? 'all keys', group, `${isCompared}`, `${maxKeys}`),
    queryFn: () =>
      call('get', '/v1/organizations/{org_id}/usage', {
        org_id,
        ...daysOf(period, isCompared),
        by: grainOf(period),
        key_id: keyId,
        group: group === 'outcome' ? undefined : group,
        compare: isCompared ? 'previous' : undefined,
        max_keys: maxKeys,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refreshAfterMs(state.data?.quota),
  });

/** The usage of all organizations in a month, for administrators. */
export const allUsageQuery = (month: string) =>
  pagesOf(['usage of all', month], (page) =>
    call('get', '/v1/usage/organizations', { ...daysOf(month), ...page, sort: 'name' }),
  );

export const deprecatedUsageQuery = (org_id: string) =>
  queryOptions({
    queryKey: keyOf(org_id, 'deprecated usage'),
    queryFn: () => rowsOf(call('get', '/v1/organizations/{org_id}/usage/deprecated', { org_id })),
  });
