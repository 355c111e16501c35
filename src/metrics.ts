import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Batcher } from './embeddings/batcher.ts';
import type { VectorCacheStats } from './embeddings/vector-cache.ts';

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
  // By status, then by route: a lookup in each is a fraction of what a counter's labels cost.
  readonly #requests = new Map<number, Map<string, number>>();
  readonly #seconds: Histogram<'route'>;
  readonly #secondsOf = new Map<string, Histogram.Internal<'route'>>();

  constructor(sources: MetricSources) {
    collectDefaultMetrics({ register: this.#registry, prefix: 'embedgate_' });
    const registers = [this.#registry];
    const requests = this.#requests;
    new Counter({
      name: 'embedgate_requests_total',
      help: 'Responses by route and status',
      labelNames: ['route', 'status'],
      registers,
      collect() {
        this.reset();
        for (const [status, routes] of requests) {
          for (const [route, count] of routes) this.inc({ route, status }, count);
        }
      },
    });
    this.#seconds = new Histogram({
      name: 'embedgate_request_duration_seconds',
      help: 'From the request’s first byte to the end of its response',
      labelNames: ['route'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
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
    gauge('embedgate_queue_size', 'Texts that wait for a batch', () => sources.queue().waitingTexts);
    gauge('embedgate_batches_running', 'Batches under way', () => sources.queue().runningBatches);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  observeRequest(route: string, status: number, seconds: number): void {
    const routes = this.#requests.get(status) ?? new Map<string, number>();
    this.#requests.set(status, routes.set(route, (routes.get(route) ?? 0) + 1));
    const histogram = this.#secondsOf.get(route) ?? this.#seconds.labels(route);
    this.#secondsOf.set(route, histogram);
    histogram.observe(seconds);
  }

  close(): void {
    this.#registry.clear();
  }
}
