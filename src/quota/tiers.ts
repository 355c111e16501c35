import type { CountedUnit, LimitOfTier } from './limit.ts';
import type { WindowKind } from './window.ts';

/** The quota and price of an organization's plan. */
export interface Tier {
  readonly name: string;
  /** Units per calendar month; null is unlimited. */
  readonly monthlyLimit: number | null;
  /** What the limit counts, and custom limits too. */
  readonly unit: CountedUnit;
  /** Shown in the interface. Embedgate charges nothing. */
  readonly price: string | null;
  /** Whether administrators can set a custom limit for an organization of this tier. */
  readonly takesCustomLimit: boolean;
  /** How much of the computing time an organization gets while others wait too, relative to their weights. */
  readonly weight: number;
  /** What its organizations have beside the quota. `new_keys`: all their keys have it. */
  readonly limits: readonly LimitOfTier[];
  /** The percentages of the quota at which alerts are raised, beside those that an organization chooses. */
  readonly thresholds: readonly number[];
}

/** What a tier has if the settings file doesn't say, and what organizations of an unknown tier get. */
export const defaultWeight = 1;

/** Units per calendar window; `amount` null means unlimited. */
export interface QuotaLimit {
  readonly amount: number | null;
  readonly window: WindowKind;
}

/** A limit in force. */
export interface TierLimit extends QuotaLimit {
  readonly unit: CountedUnit;
}

/** The tiers of an installation, and the default tier of new organizations. */
export class Tiers {
  readonly all: readonly Tier[];
  readonly default: string;

  /**
   * `defaultName` is the name of one of `all`. Without it, the default is `free`, or the first tier if there is no
   * `free`.
   */
  constructor(all: readonly Tier[], defaultName?: string) {
    this.all = all;
    this.default = defaultName ?? (all.find(({ name }) => name === 'free') ?? all[0])!.name;
  }

  get names(): string[] {
    return this.all.map(({ name }) => name);
  }

  find(name: string): Tier | undefined {
    return this.all.find((tier) => tier.name === name);
  }

  /** Returns the weight of organizations of a tier, or of clients without one, in what all clients share. */
  weightOf(name: string | undefined): number {
    return this.find(name ?? '')?.weight ?? defaultWeight;
  }

  /**
   * Returns the limit in force: the custom one if the tier allows it, otherwise the tier's own. A tier that is no
   * longer configured grants nothing.
   */
  limitOf(name: string, custom: QuotaLimit | null): TierLimit {
    const tier = this.find(name);
    if (!tier) return { amount: 0, window: 'month', unit: 'requests' };
    const { unit } = tier;
    if (tier.takesCustomLimit && custom) return { ...custom, unit };
    return { amount: tier.monthlyLimit, window: 'month', unit };
  }
}

/** The tiers of an installation whose configuration file defines none. */
export const standardTiers = new Tiers(
  [
    { name: 'free', monthlyLimit: 10_000, price: '$0', takesCustomLimit: false, weight: defaultWeight },
    { name: 'pro', monthlyLimit: 100_000, price: '$29', takesCustomLimit: false, weight: 2 },
    { name: 'scale', monthlyLimit: 1_000_000, price: '$199', takesCustomLimit: false, weight: 4 },
    { name: 'enterprise', monthlyLimit: null, price: 'custom', takesCustomLimit: true, weight: 8 },
  ].map((tier): Tier => ({ ...tier, unit: 'requests', limits: [], thresholds: [] })),
);
