import { Histogram, type Registry } from 'prom-client';
import type { BatchObserver, Durations } from '../embeddings/batcher.ts';

const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const powersOfTwo = (count: number): number[] =>
  Array.from({ length: count }, (_, exponent) => 2 ** exponent);

/**
 * What the batcher does, under the names of Hugging Face's text-embeddings-inference, so that its dashboards and alerts
 * work here too. Only what is computed is in it: a request that the cache answers never comes here.
 */
export class BatchHistograms implements BatchObserver {
  readonly #size: Histogram;
  readonly #tokens: Histogram;
  readonly #tokenization: Histogram;
  readonly #queue: Histogram;
  readonly #inference: Histogram;

  constructor(registry: Registry) {
    const histogram = (name: string, help: string, buckets: number[]) =>
      new Histogram({ name, help, buckets, registers: [registry] });
    this.#size = histogram('te_batch_next_size', 'Texts of a batch', powersOfTwo(12));
    this.#tokens = histogram('te_batch_next_tokens', 'Tokens of a batch, without padding', powersOfTwo(17));
    this.#tokenization = histogram(
      'te_request_tokenization_duration',
      'Seconds until a request’s texts were tokenised',
      secondsBuckets,
    );
    this.#queue = histogram(
      'te_request_queue_duration',
      'Seconds that a request’s texts waited for their batch, in the mean',
      secondsBuckets,
    );
    this.#inference = histogram(
      'te_request_inference_duration',
      'Seconds that the batches of a request’s texts took, in the mean',
      secondsBuckets,
    );
  }

  batch(texts: number, tokens: number): void {
    this.#size.observe(texts);
    this.#tokens.observe(tokens);
  }

  request({ tokenizationMs, queueMs, inferenceMs }: Durations): void {
    this.#tokenization.observe(tokenizationMs / 1_000);
    this.#queue.observe(queueMs / 1_000);
    this.#inference.observe(inferenceMs / 1_000);
  }
}
