import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Batcher } from '../embeddings/batcher.ts';
import type { VectorCacheStats } from '../embeddings/vector-cache.ts';
import { BatchHistograms } from './batch-histograms.ts';
import { RequestTally } from './request-tally.ts';

/** Figures that others keep, asked for when Prometheus asks. */
export interface MetricSources {
  readonly cache: () => VectorCacheStats;
  readonly queue: () => Batcher['stats'];
  /** Whether changes made elsewhere are heard. */
  readonly hearing: () => boolean;
}

/** What Prometheus is told. Nothing in it names a key or an organization. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: RequestTally;
  /** To be told by the batcher. */
  readonly batches: BatchHistograms;

  constructor(sources: MetricSources) {
    collectDefaultMetrics({ register: this.#registry, prefix: 'embedgate_' });
    const registers = [this.#registry];
    this.#requests = new RequestTally(this.#registry);
    this.batches = new BatchHistograms(this.#registry);
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    const counter = (name: string, help: string, read: () => number) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    counter('embedgate_cache_memory_hits_total', 'Texts found in memory', () => sources.cache().memoryHits);
    counter('embedgate_cache_store_hits_total', 'Texts found in the store', () => sources.cache().storeHits);
    counter('embedgate_cache_misses_total', 'Texts found nowhere', () => sources.cache().misses);
    counter(
      'embedgate_cache_store_failures_total',
      'Failed cache operations',
      () => sources.cache().storeFailures,
    );
    gauge('embedgate_cache_memory_entries', 'Vectors in memory', () => sources.cache().memoryEntries);
    gauge('embedgate_cache_memory_bytes', 'Bytes of vectors in memory', () => sources.cache().memoryBytes);
    gauge(
      'embedgate_queue_tokens',
      'Estimated tokens admitted, not yet answered',
      () => sources.queue().admittedTokens,
    );
    gauge('embedgate_changes_heard', 'Whether changes made elsewhere are heard: 0 or 1', () =>
      Number(sources.hearing()),
    );
    gauge('te_queue_size', 'Texts that wait for a batch', () => sources.queue().waitingTexts);
    gauge('embedgate_batches_running', 'Batches under way', () => sources.queue().runningBatches);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  observeRequest(route: string, status: number, seconds: number): void {
    this.#requests.observe(route, status, seconds);
  }

  close(): void {
    this.#registry.clear();
  }
}
