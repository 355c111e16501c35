import { BatchHistograms } from './histogram.ts';
import { type MetricSources, type PrometheusRegistry, prometheusRegistry } from './prometheus.ts';
import { RequestTally } from './request-tally.ts';

/** The metrics for Prometheus. They never name a key or an organization. */
export class Metrics {
  readonly #requests = new RequestTally();
  /** Observes the batcher. */
  readonly batches = new BatchHistograms();
  readonly #registry: PrometheusRegistry;

  constructor(sources: MetricSources) {
    this.#registry = prometheusRegistry(sources, this.#requests, this.batches);
  }

  /** Returns the exposition of all metrics and its content type. */
  async read(): Promise<{ contentType: string; text: string }> {
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  observeRequest(route: string, status: number, seconds: number): void {
    this.#requests.observe(route, status, seconds);
  }

  close(): void {
    this.#registry.clear();
  }
}
