import type { Metrics } from '../../metrics/metrics.ts';
import type { App } from '../app-types.ts';

/** Counts and times every response by its route's pattern: URLs would make endless time series. */
export function requestMetrics(app: App, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observeRequest(
      request.routeOptions.url ?? 'unknown',
      reply.statusCode,
      reply.elapsedTime / 1_000,
    );
    done();
  });
}
