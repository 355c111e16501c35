import { Counter, type Metric, type Registry } from 'prom-client';

/** Upper bounds in seconds, ascending; what is longer counts under `+Inf`. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const durationName = 'embedgate_request_duration_seconds';

interface RouteTally {
  /** Responses that took at most the bound of the same index, and longer than the one before; the last: longer than all. */
  readonly perBound: number[];
  readonly perStatus: Map<number, number>;
  sumSeconds: number;
}

/**
 * Responses by route and status, and their durations. Counted in plain numbers and told to prom-client when Prometheus
 * asks: its own labelled histogram costs a cached answer 8 % more.
 */
export class RequestTally {
  readonly #routes = new Map<string, RouteTally>();

  constructor(registry: Registry) {
    const routes = this.#routes;
    new Counter({
      name: 'embedgate_requests_total',
      help: 'Responses by route and status',
      labelNames: ['route', 'status'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [route, { perStatus }] of routes) {
          for (const [status, count] of perStatus) this.inc({ route, status }, count);
        }
      },
    });
    const durations = {
      name: durationName,
      help: 'From the request’s first byte to the end of its response',
      type: 'histogram',
      aggregator: 'sum',
      get: async () => ({ ...durations, values: [...routes].flatMap(valuesOf) }),
    };
    // What a registry asks of a metric is a name and `get`; its type knows only prom-client's own classes.
    registry.registerMetric(durations as unknown as Metric);
  }

  observe(route: string, status: number, seconds: number): void {
    let tally = this.#routes.get(route);
    if (!tally) {
      tally = { perBound: new Array(bounds.length + 1).fill(0), perStatus: new Map(), sumSeconds: 0 };
      this.#routes.set(route, tally);
    }
    const { perBound, perStatus } = tally;
    let index = 0;
    while (index < bounds.length && seconds > bounds[index]!) index += 1;
    perBound[index]! += 1;
    perStatus.set(status, (perStatus.get(status) ?? 0) + 1);
    tally.sumSeconds += seconds;
  }
}

/** As Prometheus wants a histogram: each bucket with those below it. */
function valuesOf([route, { perBound, sumSeconds }]: [string, RouteTally]) {
  let count = 0;
  const buckets = perBound.map((responses, i) => {
    count += responses;
    return { metricName: `${durationName}_bucket`, labels: { route, le: bounds[i] ?? '+Inf' }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${durationName}_sum`, labels: { route }, value: sumSeconds },
    { metricName: `${durationName}_count`, labels: { route }, value: count },
  ];
}
