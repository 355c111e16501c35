import { Counter, collectDefaultMetrics, Gauge, type Metric, type MetricValue, Registry } from 'prom-client';
import type { BatcherStats } from '../embeddings/batcher.ts';
import type { ServedModel } from '../embeddings/served-model.ts';
import type { VectorCacheStats } from '../embeddings/vector-cache.ts';
import type { Load } from '../load/load.ts';
import type { LedgerStats } from '../quota/ledger.ts';
import type { BatchHistograms, Histogram } from './histogram.ts';
import type { RequestTally } from './request-tally.ts';

/** Figures that other parts of the service maintain. They are read at each scrape. */
export interface MetricSources {
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
}

export type PrometheusRegistry = Registry;

/** Returns a registry of all metrics under their Prometheus names. Values are read at each scrape. */
export function prometheusRegistry(
  sources: MetricSources,
  requests: RequestTally,
  batches: BatchHistograms,
): PrometheusRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'embedgate_' });
  registerRequests(registry, requests);
  registerBatches(registry, batches);
  registerSources(registry, sources);
  registerVersion(registry, sources);
  return registry;
}

export function registerRequests(registry: Registry, requests: RequestTally): void {
  new Counter({
    name: 'embedgate_requests_total',
    help: 'Responses by route and status',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { perStatus }] of requests.routes) {
        for (const [status, count] of perStatus) this.inc({ route, status }, count);
      }
    },
  });
  registerHistogram(registry, {
    name: 'embedgate_request_duration_seconds',
    help: 'From the request’s first byte to the end of its response',
    series: () => [...requests.routes].map(([route, { seconds }]) => [{ route }, seconds]),
  });
}

/** Uses the names of Hugging Face's text-embeddings-inference, so that its dashboards and alerts work here too. */
function registerBatches(registry: Registry, batches: BatchHistograms): void {
  const histogram = (name: string, help: string, values: Histogram): void =>
    registerHistogram(registry, { name, help, series: () => [[{}, values]] });
  histogram('te_batch_next_size', 'Texts of a batch', batches.texts);
  histogram('te_batch_next_tokens', 'Tokens of a batch, without padding', batches.tokens);
  histogram(
    'te_request_tokenization_duration',
    'Seconds until a request’s texts were tokenized',
    batches.tokenizationSeconds,
  );
  histogram(
    'te_request_queue_duration',
    'Seconds that a request’s texts waited for their batch, on average',
    batches.queueSeconds,
  );
  histogram(
    'te_request_inference_duration',
    'Seconds that the batches of a request’s texts took, on average',
    batches.inferenceSeconds,
  );
}

function registerSources(registry: Registry, sources: MetricSources): void {
  const { load, cache, queue, models, hearing, ledger, waitingUsage } = sources;
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

type Labels = Record<string, string>;

interface HistogramFamily {
  readonly name: string;
  readonly help: string;
  readonly series: () => (readonly [Labels, Histogram])[];
}

function registerHistogram(registry: Registry, { name, help, series }: HistogramFamily): void {
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({
      ...metric,
      values: series().flatMap(([labels, histogram]) => valuesOf(name, labels, histogram)),
    }),
  };
  // A registry needs only a metric's name and `get`, but its type accepts only prom-client's own classes.
  registry.registerMetric(metric as unknown as Metric);
}

/** Returns the values of a histogram in Prometheus's form: each bucket includes the smaller ones. */
function valuesOf(
  name: string,
  labels: Labels,
  { bounds, perBound, sum }: Histogram,
): (MetricValue<string> & { metricName: string })[] {
  let count = 0;
  const buckets = perBound.map((values, i) => {
    count += values;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[i] ?? '+Inf' }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
