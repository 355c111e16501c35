/** One line of the table: two things run in turn in one run, and what their ratio is to be. */
export interface Benchmark {
  readonly name: string;
  readonly what: string;
  readonly bound: Bound;
  run(): Promise<Measurement>;
}

export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export interface Measurement {
  readonly value: number;
  /** The figures behind it, with their units. */
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

/** Whole numbers with a comma every three digits. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
