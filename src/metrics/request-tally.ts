import { Histogram, secondsBounds } from './histogram.ts';

/** The responses of one route. */
export interface RouteTally {
  readonly perStatus: ReadonlyMap<number, number>;
  readonly seconds: Histogram;
}

/**
 * Counts responses by route and status, and their durations. It uses plain numbers, which prom-client reads at each
 * scrape: prom-client's own labeled histogram would make a cached response 8 % slower.
 */
export class RequestTally {
  readonly #routes = new Map<string, { perStatus: Map<number, number>; seconds: Histogram }>();

  get routes(): ReadonlyMap<string, RouteTally> {
    return this.#routes;
  }

  observe(route: string, status: number, seconds: number): void {
    let tally = this.#routes.get(route);
    if (!tally) {
      tally = { perStatus: new Map(), seconds: new Histogram(secondsBounds) };
      this.#routes.set(route, tally);
    }
    tally.perStatus.set(status, (tally.perStatus.get(status) ?? 0) + 1);
    tally.seconds.observe(seconds);
  }
}
