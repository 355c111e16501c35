import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dayOf, lastDayOf, monthBefore } from '../lib/months.ts';
import { answered, api } from './client.ts';
import { inOrganization, keyOf } from './organizations.ts';
import type { components } from './schema.ts';

export type UsageReport = components['schemas']['UsageReport'];
export type Projection = components['schemas']['Projection'];

/** The period that is no calendar month: months rather than days are shown. */
export const lastYear = 'last-12-months';

/** Its days, both of them in it. `period` is a month as YYYY-MM, or `lastYear`. */
export function daysOf(period: string): { from: string; to: string } {
  const nowMs = Date.now();
  if (period === lastYear) return { from: `${monthBefore(nowMs, 11)}-01`, to: dayOf(nowMs) };
  return { from: `${period}-01`, to: dayOf(Math.min(nowMs, lastDayOf(period))) };
}

export const usageQuery = (orgId: string, period: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'usage', period),
    queryFn: () =>
      answered(
        api.GET('/v1/organizations/{org_id}/usage', {
          params: {
            ...inOrganization(orgId),
            query: { ...daysOf(period), by: period === lastYear ? 'month' : 'day' },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    // Whoever comes to see what has been used wants to see it as it is.
    staleTime: 0,
    refetchInterval: 30_000,
  });
