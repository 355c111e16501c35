import type { Key } from '../../../api/keys.ts';
import { formatDay } from '../../../lib/format.ts';
import type { BadgeLook } from '../../../ui/badge.tsx';

const never = '9999';
const soonMs = 14 * 86_400_000;

export type KeyStatus = 'active' | 'expires soon' | 'expired' | 'revoked';

export const statusLooks: Readonly<Record<KeyStatus, BadgeLook>> = {
  active: 'success',
  'expires soon': 'warning',
  expired: 'danger',
  revoked: 'plain',
};

export const statusTexts: Readonly<Record<KeyStatus, string>> = {
  active: 'Active',
  'expires soon': 'Expires soon',
  expired: 'Expired',
  revoked: 'Revoked',
};

/** Reports whether requests with the key are accepted. */
export const isValid = (status: KeyStatus): boolean => status === 'active' || status === 'expires soon';

export function keyStatus({ status, expires_at }: Key, nowMs: number): KeyStatus {
  if (status === 'revoked') return 'revoked';
  const leftMs = Date.parse(expires_at) - nowMs;
  if (leftMs <= 0) return 'expired';
  return leftMs < soonMs ? 'expires soon' : 'active';
}

export const formatExpiry = (expiresAt: string): string =>
  expiresAt.startsWith(never) ? 'Never' : formatDay(expiresAt);
