import { HealthResponse, MetricsResponse, NotReadyResponse, ReadyResponse } from '../../api/status.ts';
import { isoTime } from '../../lib/clock.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';

/** Registers the public routes for load balancers and monitoring. They are never counted. */
export function statusRoutes(app: App, services: Services): void {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Check whether the process is running',
        response: { 200: HealthResponse },
      },
    },
    async () => ({ status: 'ok' as const, time: isoTime(services.clock.now()), version: services.version }),
  );

  app.get(
    '/ready',
    {
      schema: {
        operationId: 'getReadiness',
        summary: 'Check whether the service is ready',
        response: { 200: ReadyResponse, 503: NotReadyResponse },
      },
    },
    async (_request, reply) => {
      const notReady = await services.notReady();
      reply.code(notReady.length === 0 ? 200 : 503);
      return {
        status: notReady.length === 0 ? ('ready' as const) : ('not_ready' as const),
        not_ready: notReady,
      };
    },
  );

  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'getMetrics',
        summary: 'Get the Prometheus metrics',
        response: { 200: MetricsResponse },
      },
    },
    async (_request, reply) => {
      const { contentType, text } = await services.metrics.read();
      reply.type(contentType);
      return text;
    },
  );
}
