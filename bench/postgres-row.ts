/** One line of the benchmark: a ratio of things run in turn on the same machine. */
export interface Row {
  readonly name: string;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  readonly ratio: number;
  readonly details: string;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** 268123 → `268,000`: what a noisy machine can tell. */
export function rounded(value: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 2);
  return (Math.round(value / unit) * unit).toLocaleString('en');
}
