import { type AlertDelivery, isDue } from '../../../api/alerts.ts';
import type { BadgeLook } from '../../../ui/badge.tsx';

export const deliveryTypes: Readonly<Record<AlertDelivery['type'], string>> = {
  'quota.threshold_reached': 'Threshold reached',
  'quota.exhaustion_projected': 'Exhaustion projected',
  test: 'Test',
};

export const deliveryLooks: Readonly<Record<AlertDelivery['status'], BadgeLook>> = {
  pending: 'warning',
  delivered: 'success',
  failed: 'danger',
};

/** Returns how often a delivery was tried, and when it will be retried, in words. */
export function progressOf(delivery: AlertDelivery): string {
  const { attempts, status, next_attempt_at } = delivery;
  if (isDue(delivery)) return 'Being sent.';
  const tried = attempts === 1 ? '1 attempt.' : `${attempts} attempts.`;
  if (status !== 'pending' || !next_attempt_at) return tried;
  const minutes = Math.max(1, Math.round((Date.parse(next_attempt_at) - Date.now()) / 60_000));
  return `${tried} Next in ${minutes} min.`;
}
