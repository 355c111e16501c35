import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dayOf, lastDayOf, monthBefore } from '../lib/months.ts';
import { answered, api } from './client.ts';
import { inOrganization, keyOf } from './organizations.ts';
import type { components } from './schema.ts';

export type UsageReport = components['schemas']['UsageReport'];
export type Projection = components['schemas']['Projection'];

const dayMs = 86_400_000;

/** Periods that end today. */
export const lastYear = 'last-12-months';
export const lastDays = 'last-30-days';

/** A period that an address names, where it is one; else the last days. */
export function periodOf(text: string | undefined): string {
  const isPeriod = text === lastYear || /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '');
  return text && isPeriod ? text : lastDays;
}

/** Its days, both of them in it. `period` is a month as YYYY-MM, or one that ends today. */
export function daysOf(period: string): { from: string; to: string } {
  const nowMs = Date.now();
  if (period === lastYear) return { from: `${monthBefore(nowMs, 11)}-01`, to: dayOf(nowMs) };
  if (period === lastDays) return { from: dayOf(nowMs - 29 * dayMs), to: dayOf(nowMs) };
  return { from: `${period}-01`, to: dayOf(Math.min(nowMs, lastDayOf(period))) };
}

/** `keyId` undefined: all keys. */
export const usageQuery = (orgId: string, period: string, keyId?: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'usage', period, keyId ?? 'all keys'),
    queryFn: () =>
      answered(
        api.GET('/v1/organizations/{org_id}/usage', {
          params: {
            ...inOrganization(orgId),
            query: {
              ...daysOf(period),
              by: period === lastYear ? 'month' : 'day',
              ...(keyId && { key_id: keyId }),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    // Whoever comes to see what has been used wants to see it as it is.
    staleTime: 0,
    refetchInterval: 30_000,
  });
