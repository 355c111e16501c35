import { setTimeout } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, exponentialBuckets, Gauge, Histogram, Registry } from 'prom-client';
import { Gather } from '../../packages/small/src/gather.ts';
import type { BatcherStats, BatchObserver } from '../embeddings/batcher.ts';
import type { ServedModel } from '../embeddings/served-model.ts';
import type { VectorCacheStats } from '../embeddings/vector-cache.ts';
import type { Load } from '../load/load.ts';
import type { LedgerStats } from '../quota/ledger.ts';
import { latencyClassOf, percentileOf } from '../usage/latency.ts';

/** The smallest time between two renderings, each of which takes several milliseconds of the event loop. */
const renderEveryMs = 250;

const minuteOf = (at: number) => ({
  at,
  served: 0,
  refused: 0,
  failed: 0,
  latencies: new Map<number, number>(),
});
type Minute = ReturnType<typeof minuteOf>;

/** The metrics for Prometheus. They never name a key or an organization. */
export class Metrics {
  /** Observes the batcher. */
  readonly batches: BatchObserver;
  readonly observeRequest: (route: string, status: number, seconds: number) => void;
  readonly #registry: Registry;
  /** The requests for embeddings of the last hour, with their latencies by class. Each minute is at its number modulo 60. */
  readonly #minutes: Minute[] = [];
  #renderNextAtMs = 0;
  readonly #reading = new Gather<null, Buffer>((waiting) => this.#render(waiting.length), {
    maxItems: Number.POSITIVE_INFINITY,
  });

  constructor(sources: MetricSources) {
    this.#registry = prometheusRegistry(sources);
    this.batches = batchMetrics(this.#registry);
    const observe = requestMetrics(this.#registry);
    this.observeRequest = (route, status, seconds) => {
      observe(route, status, seconds);
      if (!/\/embed(dings)?$/.test(route)) return;
      const minute = this.#minute();
      minute[status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'served'] += 1;
      const latency = latencyClassOf(seconds * 1_000);
      if (status === 200) minute.latencies.set(latency, (minute.latencies.get(latency) ?? 0) + 1);
    };
  }

  /** Returns the exposition of all metrics and its content type. It is rendered once for all who wait for it. */
  async read(): Promise<{ contentType: string; text: Buffer }> {
    return { contentType: this.#registry.contentType, text: await this.#reading.add(null) };
  }

  #minute(ago = 0): Minute {
    const at = Math.floor(performance.now() / 60_000) + 60 - ago;
    if (this.#minutes[at % 60]?.at !== at) this.#minutes[at % 60] = minuteOf(at);
    return this.#minutes[at % 60]!;
  }

  /** Returns the minutes of the last hour. The current one is last. */
  get hour(): readonly Minute[] {
    return Array.from({ length: 60 }, (_, n) => this.#minute(59 - n));
  }

  /** Returns the latency in milliseconds that the share `p` of the requests with embeddings does not exceed. */
  latencyMs(p: number, minutes = this.hour): number | null {
    const counts = new Map<number, number>();
    for (const [latency, count] of minutes.flatMap(({ latencies }) => [...latencies]))
      counts.set(latency, (counts.get(latency) ?? 0) + count);
    return percentileOf(counts, p);
  }

  async #render(readers: number): Promise<Buffer[]> {
    const pauseMs = this.#renderNextAtMs - performance.now();
    if (pauseMs > 0) await setTimeout(pauseMs);
    this.#renderNextAtMs = performance.now() + renderEveryMs;
    const text = Buffer.from(await this.#registry.metrics());
    return new Array(readers).fill(text);
  }

  close(): void {
    this.#registry.clear();
  }
}

/** Bounds for durations in seconds. */
const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Figures that other parts of the service maintain. They are read at each scrape. */
interface MetricSources {
  readonly version: string;
  readonly load: Load;
  readonly cache: () => VectorCacheStats;
  readonly queue: () => BatcherStats;
  readonly models: () => readonly Pick<ServedModel, 'model' | 'upstreams'>[];
  /** Whether this process receives changes made elsewhere. */
  readonly hearing: () => boolean;
  readonly ledger: () => LedgerStats;
  /** Usage records waiting to be written. */
  readonly waitingUsage: () => number;
  /** Requests that are missing in the request log. */
  readonly droppedRequests: () => number;
  /** When the last backup completed, in milliseconds since the Unix epoch. 0: never. Null: the database has its own. */
  readonly lastBackupMs: () => number | null;
}

/** Returns a registry of all metrics that other parts maintain. Their values are read at each scrape. */
function prometheusRegistry(sources: MetricSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'embedgate_' });
  // Gauges with the suffix of counters. Each is the sum of another one.
  for (const name of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`embedgate_nodejs_active_${name}_total`);
  registerSources(registry, sources);
  registerVersion(registry, sources);
  return registry;
}

/** Registers the metrics of requests, and returns a function that observes a response. */
function requestMetrics(registry: Registry): (route: string, status: number, seconds: number) => void {
  /** Counts by route and status. Finding a series of the library takes as long as several steps of a cached response. */
  const counts = new Map<string, Map<number, number>>();
  new Counter({
    name: 'embedgate_requests_total',
    help: 'Responses by route and status',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, byStatus] of counts)
        for (const [status, count] of byStatus) this.inc({ route, status }, count);
    },
  });
  const durations = new Histogram({
    name: 'embedgate_request_duration_seconds',
    help: 'From the request’s first byte to the end of its response',
    labelNames: ['route'],
    buckets: secondsBuckets,
    registers: [registry],
  });
  // Without labels, so that it is 0 before the first: an alert needs to see it increase.
  const name = 'embedgate_internal_errors_total';
  const errors = new Counter({ name, help: 'Responses with status 500', registers: [registry] });
  return (route, status, seconds) => {
    if (status === 500) errors.inc();
    const byStatus = counts.get(route) ?? new Map<number, number>();
    counts.set(route, byStatus.set(status, (byStatus.get(status) ?? 0) + 1));
    durations.observe({ route }, seconds);
  };
}

/**
 * Registers the metrics of the batcher. Requests answered from the cache are not included. Uses the names of Hugging
 * Face's text-embeddings-inference, so that its dashboards and alerts work here too.
 */
function batchMetrics(registry: Registry): BatchObserver {
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers: [registry] });
  const size = histogram('te_batch_next_size', 'Texts of a batch', exponentialBuckets(1, 2, 12));
  const tokens = histogram(
    'te_batch_next_tokens',
    'Tokens of a batch, without padding',
    exponentialBuckets(1, 2, 17),
  );
  const tokenization = histogram(
    'te_request_tokenization_duration',
    'Seconds until a request’s texts were tokenized',
    secondsBuckets,
  );
  const queue = histogram(
    'te_request_queue_duration',
    'Seconds that a request’s texts waited for their batch, on average',
    secondsBuckets,
  );
  const inference = histogram(
    'te_request_inference_duration',
    'Seconds that the batches of a request’s texts took, on average',
    secondsBuckets,
  );
  return {
    batch(texts, tokensOfBatch) {
      size.observe(texts);
      tokens.observe(tokensOfBatch);
    },
    prepared: (tokenizationMs) => tokenization.observe(tokenizationMs / 1_000),
    computed({ queueMs, inferenceMs }) {
      queue.observe(queueMs / 1_000);
      inference.observe(inferenceMs / 1_000);
    },
  };
}

function registerSources(registry: Registry, sources: MetricSources): void {
  const { load, cache, queue, models, hearing, ledger, waitingUsage, droppedRequests, lastBackupMs } =
    sources;
  const registers = [registry];
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
  gauge('embedgate_connections', 'Open connections', () => load.connections);
  gauge('embedgate_requests_in_progress', 'Requests in progress', () => load.requests);
  gauge('embedgate_held_bytes', 'Bytes of bodies and responses in progress', () => load.heldBytes);
  new Counter({
    name: 'embedgate_bound_reached_total',
    help: 'Connections and requests refused or closed by a bound, by the name of its setting',
    labelNames: ['bound'],
    registers,
    collect() {
      this.reset();
      for (const [bound, count] of load.reached) this.inc({ bound }, count);
    },
  });
  counter('embedgate_cache_memory_hits_total', 'Texts found in memory', () => cache().memoryHits);
  counter('embedgate_cache_store_hits_total', 'Texts found in the store', () => cache().storeHits);
  counter('embedgate_cache_misses_total', 'Texts found in neither', () => cache().misses);
  counter('embedgate_cache_store_failures_total', 'Failed cache operations', () => cache().storeFailures);
  gauge('embedgate_cache_memory_entries', 'Vectors in memory', () => cache().memoryEntries);
  gauge('embedgate_cache_memory_bytes', 'Bytes of vectors in memory', () => cache().memoryBytes);
  gauge(
    'embedgate_queue_tokens',
    'Estimated tokens of admitted texts in progress',
    () => queue().admittedTokens,
  );
  gauge(
    'embedgate_queue_organizations',
    'Organizations with admitted texts in progress',
    () => queue().admittedOrganizations,
  );
  gauge(
    'embedgate_waiting_organizations',
    'Organizations with texts waiting for a batch',
    () => queue().waitingOrganizations,
  );
  gauge('embedgate_changes_heard', 'Whether changes made elsewhere are received: 0 or 1', () =>
    Number(hearing()),
  );
  gauge(
    'embedgate_quota_flush_age_seconds',
    'Age of the running quota flush; 0 if none is running',
    () => ledger().flushAgeMs / 1_000,
  );
  counter('embedgate_quota_flush_failures_total', 'Failed quota flushes', () => ledger().flushFailures);
  gauge(
    'embedgate_quota_locked_organizations',
    'Organizations whose rows another transaction has locked',
    () => ledger().lockedOrganizations,
  );
  counter('embedgate_request_log_dropped_total', 'Requests that the log or usage misses', droppedRequests);
  if (lastBackupMs() !== null)
    gauge(
      'embedgate_last_backup_timestamp_seconds',
      'When `embedgate backup` last completed; 0: never',
      () => (lastBackupMs() ?? 0) / 1_000,
    );
  gauge('embedgate_usage_records_waiting', 'Usage records waiting to be written', waitingUsage);
  new Gauge({
    name: 'embedgate_upstream_available',
    help: 'Whether an upstream gets requests: 0 while it is paused after failures, otherwise 1',
    labelNames: ['model', 'upstream'],
    registers,
    collect() {
      for (const { model, upstreams } of models()) {
        for (const { name, isAvailable } of upstreams) {
          this.set({ model: model.name, upstream: name }, Number(isAvailable));
        }
      }
    },
  });
  gauge('te_queue_size', 'Texts waiting for a batch', () => queue().waitingTexts);
  gauge('embedgate_batches_running', 'Running batches', () => queue().runningBatches);
}

function registerVersion(registry: Registry, { version }: MetricSources): void {
  new Gauge({
    name: 'embedgate_build_info',
    help: 'Always 1; the label is the version of the service',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
}
