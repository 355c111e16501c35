import type { Key } from '../../../api/keys.ts';
import { formatFullDay } from '../../../lib/months.ts';

const soonMs = 14 * 86_400_000;

/** How each status looks. Its name is its text, too. */
export const statusLooks = {
  active: 'success',
  paused: 'warning',
  'expires soon': 'warning',
  expired: 'danger',
  revoked: 'plain',
} as const;
type KeyStatus = keyof typeof statusLooks;

export function keyStatus({ status, enabled, expires_at }: Key, nowMs: number): KeyStatus {
  if (status === 'revoked') return 'revoked';
  const leftMs = Date.parse(expires_at) - nowMs;
  if (leftMs <= 0) return 'expired';
  if (!enabled) return 'paused';
  return leftMs < soonMs ? 'expires soon' : 'active';
}

export const neverExpires = (expiresAt: string): boolean => expiresAt.startsWith('9999');

export const formatExpiry = (expiresAt: string): string =>
  neverExpires(expiresAt) ? 'Never' : formatFullDay(expiresAt);
