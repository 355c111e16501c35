import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dayOf, lastDayOf, monthBefore } from '../lib/months.ts';
import { refreshAfterMs } from '../lib/quota.ts';
import { answered, api } from './client.ts';
import { inOrganization, keyOf } from './organizations.ts';
import type { components, paths } from './schema.ts';

export type UsageReport = components['schemas']['UsageReport'];
export type Projection = components['schemas']['Projection'];
/** What a key used of a deprecated model in the last 30 days. */
export type DeprecatedUsage = components['schemas']['DeprecatedUsage'];

const dayMs = 86_400_000;

/** Periods that end today. */
export const lastYear = 'last-12-months';
export const lastDays = 'last-30-days';

/** Returns the period that an address names, if it is valid, and otherwise the last days. */
export function periodOf(text: string | undefined): string {
  const isPeriod = text === lastYear || /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '');
  return text && isPeriod ? text : lastDays;
}

/** Returns the first and the last day, both included. `period` is a month as YYYY-MM, or one that ends today. */
export function daysOf(period: string): { from: string; to: string } {
  const nowMs = Date.now();
  if (period === lastYear) return { from: `${monthBefore(nowMs, 11)}-01`, to: dayOf(nowMs) };
  if (period === lastDays) return { from: dayOf(nowMs - 29 * dayMs), to: dayOf(nowMs) };
  return { from: `${period}-01`, to: dayOf(Math.min(nowMs, lastDayOf(period))) };
}

type ReportQuery = NonNullable<paths['/v1/organizations/{org_id}/usage']['get']['parameters']['query']>;

const reportOf = (orgId: string, query: ReportQuery) =>
  answered(api.GET('/v1/organizations/{org_id}/usage', { params: { ...inOrganization(orgId), query } }));

/** `keyId` is undefined for all keys. */
export const usageQuery = (orgId: string, period: string, keyId?: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'usage', period, keyId ?? 'all keys'),
    queryFn: () =>
      reportOf(orgId, {
        ...daysOf(period),
        by: period === lastYear ? 'month' : 'day',
        ...(keyId && { key_id: keyId }),
      }),
    placeholderData: keepPreviousData,
    // People who look at usage want to see it up to date.
    staleTime: 0,
    refetchInterval: ({ state }) => refreshAfterMs(state.data?.quota),
  });

export const deprecatedUsageQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'deprecated usage'),
    queryFn: async () => {
      const path = '/v1/organizations/{org_id}/usage/deprecated';
      return (await answered(api.GET(path, { params: inOrganization(orgId) }))).data;
    },
  });

/** Days of a trend. */
export const trendDays = 28;
const trendRefreshMs = 60_000;

/** Returns the query of a trend, whose last day (UTC) is that of `lastMs`. */
const trendQuery = (orgId: string, lastMs: number) => {
  const days = { from: dayOf(lastMs - (trendDays - 1) * dayMs), to: dayOf(lastMs) };
  return queryOptions({
    queryKey: keyOf(orgId, 'usage', days.from, days.to),
    queryFn: () => reportOf(orgId, { ...days, by: 'day' }),
    // At midnight the days move on, and the chart stays until the new figures have loaded.
    placeholderData: keepPreviousData,
  });
};

/** Returns the query of the last days, including today. Scrolling back to it within a minute does not load it again. */
export const lastTrendQuery = (orgId: string, nowMs: number) => ({
  ...trendQuery(orgId, nowMs),
  staleTime: trendRefreshMs,
  refetchInterval: trendRefreshMs,
});

/** Returns the query of as many days before those, which no longer change. */
export const previousTrendQuery = (orgId: string, nowMs: number) => ({
  ...trendQuery(orgId, nowMs - trendDays * dayMs),
  staleTime: Number.POSITIVE_INFINITY,
});
