import { setTimeout } from 'node:timers/promises';
import { Gather } from '../lib/gather.ts';
import { BatchHistograms } from './histogram.ts';
import { type MetricSources, type PrometheusRegistry, prometheusRegistry } from './prometheus.ts';
import { RequestTally } from './request-tally.ts';

/** The smallest time between two renderings, each of which takes several milliseconds of the event loop. */
const renderEveryMs = 250;

/** The metrics for Prometheus. They never name a key or an organization. */
export class Metrics {
  readonly #requests = new RequestTally();
  /** Observes the batcher. */
  readonly batches = new BatchHistograms();
  readonly #registry: PrometheusRegistry;
  #renderNextAtMs = 0;
  readonly #reading = new Gather<null, Buffer>((waiting) => this.#render(waiting.length), {
    maxItems: Number.POSITIVE_INFINITY,
  });

  constructor(sources: MetricSources) {
    this.#registry = prometheusRegistry(sources, this.#requests, this.batches);
  }

  /** Returns the exposition of all metrics and its content type. It is rendered once for all who wait for it. */
  async read(): Promise<{ contentType: string; text: Buffer }> {
    return { contentType: this.#registry.contentType, text: await this.#reading.add(null) };
  }

  async #render(readers: number): Promise<Buffer[]> {
    const pauseMs = this.#renderNextAtMs - performance.now();
    if (pauseMs > 0) await setTimeout(pauseMs);
    this.#renderNextAtMs = performance.now() + renderEveryMs;
    const text = Buffer.from(await this.#registry.metrics());
    return new Array(readers).fill(text);
  }

  observeRequest(route: string, status: number, seconds: number): void {
    this.#requests.observe(route, status, seconds);
  }

  close(): void {
    this.#registry.clear();
  }
}
