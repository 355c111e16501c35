import { lazily } from '../lib/lazily.ts';
import { BatchHistograms } from './batch-histograms.ts';
import type { PrometheusRegistry } from './prometheus.ts';
import { RequestTally } from './request-tally.ts';
import type { MetricSources } from './sources.ts';

/** The metrics for Prometheus. They never name a key or an organization. */
export class Metrics {
  readonly #sources: MetricSources;
  readonly #requests = new RequestTally();
  /** Observes the batcher. */
  readonly batches = new BatchHistograms();
  /** prom-client is loaded after the start, so that no start waits for it. */
  readonly #registry = lazily(() => this.#open());

  constructor(sources: MetricSources) {
    this.#sources = sources;
  }

  /**
   * Loads prom-client. Node remembers a failed import, so the first import must not happen while npm replaces the
   * installation.
   */
  async load(): Promise<void> {
    await this.#registry.get();
  }

  /** Returns the exposition of all metrics and its content type. */
  async read(): Promise<{ contentType: string; text: string }> {
    const registry = await this.#registry.get();
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  observeRequest(route: string, status: number, seconds: number): void {
    this.#requests.observe(route, status, seconds);
  }

  async close(): Promise<void> {
    (await this.#registry.loaded())?.clear();
  }

  async #open(): Promise<PrometheusRegistry> {
    const { prometheusRegistry } = await import('./prometheus.ts');
    return prometheusRegistry(this.#sources, this.#requests, this.batches);
  }
}
