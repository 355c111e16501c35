import type { components } from '../api/schema.ts';
import { formatCountdown } from './format.ts';
import { serviceTime } from './service-time.ts';

type Organization = components['schemas']['OrganizationDetails'];
type Quota = Organization['quota'];

const minuteMs = 60_000;
const refreshMs = 30_000;
/** A clock that differs from the service's must not make a page poll all the time. */
const minRefreshMs = 5_000;
/** So that the server's window has ended as well. */
const afterResetMs = 500;

/** Returns the share of the limit that is used, from 0 to more than 1, or null if there is no limit. */
export function quotaShare({ used, limit }: Pick<Quota, 'used' | 'limit'>): number | null {
  if (limit === null) return null;
  return limit === 0 ? 1 : used / limit;
}

/** Reports whether the window ends before anyone can read its usage. */
export const isRate = ({ window }: Pick<Quota, 'window'>): boolean =>
  window === 'second' || window === 'minute';

/** Reports whether requests are refused until the window ends. */
export const isUsedUp = (quota: Quota, nowMs: number): boolean =>
  !isRate(quota) && (quotaShare(quota) ?? 0) >= 1 && nowMs < Date.parse(quota.resets_at);

/** Returns when to load a quota again: after half a minute, or as soon as its window has ended. */
export function refreshAfterMs(quota: Quota | undefined): number {
  if (!quota || isRate(quota)) return refreshMs;
  const leftMs = Date.parse(quota.resets_at) - serviceTime() + afterResetMs;
  return Math.min(refreshMs, Math.max(minRefreshMs, leftMs));
}

const windowMs = { hour: 3_600_000, day: 86_400_000, month: 0, minute: minuteMs, second: 1_000 } as const;

/** Returns the part of the window that is over, from 0 to 1. */
export function windowShare({ window, resets_at }: Quota, nowMs: number): number {
  const endMs = Date.parse(resets_at);
  const end = new Date(endMs);
  const startMs =
    window === 'month' ? Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1) : endMs - windowMs[window];
  return Math.min(1, Math.max(0, (nowMs - startMs) / (endMs - startMs)));
}

/** Returns when the window ends, such as `every minute`, `in 8 days 1 hour` or `now`. */
export function formatReset(
  { window, resets_at }: Pick<Quota, 'window' | 'resets_at'>,
  nowMs: number,
): string {
  if (isRate({ window })) return `every ${window}`;
  // From a whole minute on, so that no seconds are shown that don't tick.
  const countdown = formatCountdown(Date.parse(resets_at), Math.floor(nowMs / minuteMs) * minuteMs);
  return countdown === 'now' ? countdown : `in ${countdown}`;
}

/** Reports whether an organization has its first request still before it. */
export const isNew = (organization: Organization | undefined): boolean =>
  organization !== undefined && !organization.has_requests;

/** Reports whether a person has their own first request still before them. Administrators look after others. */
export const isNewHere = (organization: Organization | undefined): boolean =>
  isNew(organization) ||
  (organization?.has_own_requests === false &&
    organization.role !== 'administrator' &&
    organization.may.includes('keys.create'));
