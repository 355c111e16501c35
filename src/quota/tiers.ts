import type { WindowKind } from './window.ts';

export const tierNames = ['free', 'pro', 'scale', 'enterprise'] as const;

export type Tier = (typeof tierNames)[number];

/** Requests per calendar window; `requests` null is unlimited. */
export interface Limit {
  readonly requests: number | null;
  readonly window: WindowKind;
}

const monthlyRequests: Record<Tier, number | null> = {
  free: 10_000,
  pro: 100_000,
  scale: 1_000_000,
  enterprise: null,
};

/** The limit in force: the tier's own, or what was agreed with an enterprise organization. */
export function limitOf(tier: Tier, custom: Limit | null): Limit {
  if (tier === 'enterprise' && custom) return custom;
  return { requests: monthlyRequests[tier], window: 'month' };
}
