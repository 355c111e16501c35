import type { WindowKind } from './window.ts';

/** What an organization is entitled to. */
export interface Tier {
  readonly name: string;
  /** Requests per calendar month; null is unlimited. */
  readonly monthlyRequests: number | null;
  /** Shown to people. Nothing is charged here. */
  readonly price: string | null;
  /** Whether an administrator can agree on another limit with an organization of this tier. */
  readonly takesCustomLimit: boolean;
}

/** Requests per calendar window; `requests` null is unlimited. */
export interface Limit {
  readonly requests: number | null;
  readonly window: WindowKind;
}

/** The tiers of an installation, and the one that new organizations get. */
export class Tiers {
  readonly all: readonly Tier[];
  readonly default: string;

  /** `defaultName` names one of `all`; without it, new organizations are `free`, or the first tier where there is no `free`. */
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

  /**
   * Returns the limit in force: the tier's own, or what was agreed with the organization. A tier that is not configured any more
   * grants nothing.
   */
  limitOf(name: string, custom: Limit | null): Limit {
    const tier = this.find(name);
    if (!tier) return { requests: 0, window: 'month' };
    if (tier.takesCustomLimit && custom) return custom;
    return { requests: tier.monthlyRequests, window: 'month' };
  }
}

/** The tiers where the configuration file names none. */
export const standardTiers = new Tiers([
  { name: 'free', monthlyRequests: 10_000, price: '$0', takesCustomLimit: false },
  { name: 'pro', monthlyRequests: 100_000, price: '$29', takesCustomLimit: false },
  { name: 'scale', monthlyRequests: 1_000_000, price: '$199', takesCustomLimit: false },
  { name: 'enterprise', monthlyRequests: null, price: 'custom', takesCustomLimit: true },
]);
