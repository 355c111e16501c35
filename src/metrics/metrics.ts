import { setTimeout } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { BatchObserver } from '../embeddings/batcher.ts';
import { Gather } from '../lib/gather.ts';
import { latencyClassOf, percentileOf } from '../usage/latency.ts';
import { batchMetrics, type MetricSources, prometheusRegistry, requestMetrics } from './prometheus.ts';

/** The smallest time between two renderings, each of which takes several milliseconds of the event loop. */
const renderEveryMs = 250;

/** The metrics for Prometheus. They never name a key or an organization. */
export class Metrics {
  /** Observes the batcher. */
  readonly batches: BatchObserver;
  readonly observeRequest: (route: string, status: number, seconds: number) => void;
  readonly #registry: Registry;
  /** The number of requests with embeddings by the class of their latency. */
  readonly #latencies = new Map<number, number>();
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
      if (status !== 200 || !route.endsWith('/embeddings')) return;
      const latency = latencyClassOf(seconds * 1_000);
      this.#latencies.set(latency, (this.#latencies.get(latency) ?? 0) + 1);
    };
  }

  /** Returns the exposition of all metrics and its content type. It is rendered once for all who wait for it. */
  async read(): Promise<{ contentType: string; text: Buffer }> {
    return { contentType: this.#registry.contentType, text: await this.#reading.add(null) };
  }

  /** Returns the latency in milliseconds that the share `p` of the requests with embeddings does not exceed. */
  latencyMs(p: number): number | null {
    return percentileOf(this.#latencies, p);
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
