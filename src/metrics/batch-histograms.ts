import type { BatchObserver, Durations } from '../embeddings/batcher.ts';
import { Histogram, secondsBounds } from './histogram.ts';

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

  request({ tokenizationMs, queueMs, inferenceMs }: Durations): void {
    this.tokenizationSeconds.observe(tokenizationMs / 1_000);
    this.queueSeconds.observe(queueMs / 1_000);
    this.inferenceSeconds.observe(inferenceMs / 1_000);
  }
}
