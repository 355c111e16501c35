/** One line of the table: two alternating measurements in one run, and the target of their ratio. */
export interface Benchmark {
  readonly name: string;
  readonly what: string;
  readonly bound: Bound;
  /** Runs only if it is named. */
  readonly takesLong?: boolean;
  run(): Promise<Measurement>;
}

export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export interface Measurement {
  readonly value: number;
  /** The underlying figures with their units. */
  readonly details: string;
}

export function holds(bound: Bound, value: number): boolean {
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}

/** The middle value; of an even number, the lower of the two. */
export function median(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[(ascending.length - 1) >> 1] as number;
}

/** The value below which the given share of the ascending values lies. */
export function quantile(ascending: Float64Array, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] as number;
}

/** 268123 → `268,000`: as precise as a noisy machine allows. */
export function rounded(value: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 2);
  return (Math.round(value / unit) * unit).toLocaleString('en-US');
}

/** Returns an organization without a limit, whose requests a benchmark decides. */
export const organizationOf = (orgId: string) => ({
  orgId,
  name: 'bench',
  tier: 'enterprise',
  custom: null,
  externalId: null,
  suspended: null,
  createdAt: Date.now(),
  revision: 0,
});
