import type { BatchObserver, Durations } from '../embeddings/batcher.ts';

/** Counts values by size in plain numbers. Observing is cheap and loads no library. */
export class Histogram {
  /** Upper bounds, ascending. Larger values count under `+Inf`. */
  readonly bounds: readonly number[];
  /**
   * Number of values in each bucket: at most the bound of the same index and larger than the previous one. The last
   * bucket holds values above all bounds.
   */
  readonly perBound: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.perBound = new Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let index = 0;
    while (index < this.bounds.length && value > this.bounds[index]!) index += 1;
    this.perBound[index]! += 1;
    this.sum += value;
  }
}

/** Bounds for durations in seconds. */
export const secondsBounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

const powersOfTwo = (count: number): number[] =>
  Array.from({ length: count }, (_, exponent) => 2 ** exponent);

/** Observes what the batcher computes. Requests answered from the cache are not included. */
export class BatchHistograms implements BatchObserver {
  readonly texts = new Histogram(powersOfTwo(12));
  readonly tokens = new Histogram(powersOfTwo(17));
  readonly tokenizationSeconds = new Histogram(secondsBounds);
  readonly queueSeconds = new Histogram(secondsBounds);
  readonly inferenceSeconds = new Histogram(secondsBounds);

  batch(texts: number, tokens: number): void {
    this.texts.observe(texts);
    this.tokens.observe(tokens);
  }

  prepared(tokenizationMs: number): void {
    this.tokenizationSeconds.observe(tokenizationMs / 1_000);
  }

  computed({ queueMs, inferenceMs }: Durations): void {
    this.queueSeconds.observe(queueMs / 1_000);
    this.inferenceSeconds.observe(inferenceMs / 1_000);
  }
}
