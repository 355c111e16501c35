import { Type } from 'typebox';
import type { Services } from '../../services.ts';
import { isoTime } from '../../views.ts';
import type { App } from '../app-types.ts';
import { Timestamp } from '../schemas/common.ts';

const HealthResponse = Type.Object({ status: Type.Literal('ok'), time: Timestamp, version: Type.String() });

const ReadyResponse = Type.Object({
  status: Type.Enum(['ready', 'not_ready']),
  not_ready: Type.Array(Type.String(), { description: 'What is not ready' }),
});

/** For load balancers and monitoring: public, and never counted. */
export function statusRoutes(app: App, services: Services): void {
  app.get(
    '/health',
    { schema: { summary: 'Whether the process lives', tags: ['Status'], response: { 200: HealthResponse } } },
    async () => ({ status: 'ok' as const, time: isoTime(services.clock.now()), version: services.version }),
  );

  app.get(
    '/ready',
    {
      schema: {
        summary: 'Whether requests would be served',
        tags: ['Status'],
        response: { 200: ReadyResponse, 503: ReadyResponse },
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
    { schema: { summary: 'Prometheus metrics', tags: ['Status'], produces: ['text/plain'] } },
    async (_request, reply) => {
      reply.type(services.metrics.contentType);
      return services.metrics.text();
    },
  );
}
