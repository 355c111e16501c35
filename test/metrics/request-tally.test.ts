import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Counter, Histogram, Registry } from 'prom-client';
import { registerRequests } from '../../src/metrics/prometheus.ts';
import { RequestTally } from '../../src/metrics/request-tally.ts';

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

test('the tally prints, line for line, what prom-client’s own counter and histogram print', async () => {
  const response = fc.record({
    route: fc.constantFrom('/v1/embeddings', '/health', 'unknown'),
    status: fc.constantFrom(200, 429, 503),
    // In binary fractions, so that their sum does not depend on the order.
    seconds: fc.oneof(
      fc.constantFrom(0, 0.25, 0.5, 1, 2.5, 64),
      fc.integer({ min: 0, max: 40_000 }).map((n) => n / 1_024),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(response, { maxLength: 30 }), async (responses) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      const tally = new RequestTally();
      registerRequests(ours, tally);
      const requests = new Counter({
        name: 'embedgate_requests_total',
        help: 'Responses by route and status',
        labelNames: ['route', 'status'],
        registers: [theirs],
      });
      const seconds = new Histogram({
        name: 'embedgate_request_duration_seconds',
        help: 'From the request’s first byte to the end of its response',
        labelNames: ['route'],
        buckets,
        registers: [theirs],
      });
      for (const { route, status, seconds: took } of responses) {
        tally.observe(route, status, took);
        requests.labels(route, String(status)).inc();
        seconds.labels(route).observe(took);
      }
      assert.deepEqual(await linesOf(ours), await linesOf(theirs));
    }),
  );
});

/** Prometheus ignores the order of lines and labels. */
async function linesOf(registry: Registry): Promise<string[]> {
  const lines = (await registry.metrics()).split('\n');
  return lines
    .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`))
    .sort();
}
