import { Type } from 'typebox';
import type { Services } from '../../service/services.ts';
import { isoTime } from '../../views.ts';
import type { App } from '../app-types.ts';
import { Timestamp } from '../schemas/common.ts';

const HealthResponse = Type.Object(
  { status: Type.Literal('ok'), time: Timestamp, version: Type.String() },
  {
    title: 'Health',
    'x-response-description': 'The process lives.',
    examples: [{ status: 'ok', time: '2026-11-01T09:30:00.000Z', version: '0.2.0' }],
  },
);

const ready = {
  status: Type.Enum(['ready', 'not_ready'], { type: 'string' }),
  not_ready: Type.Array(Type.String(), { description: 'What is not ready.' }),
};

const ReadyResponse = Type.Object(ready, {
  title: 'Readiness',
  'x-response-description': 'Requests would be served.',
  examples: [{ status: 'ready', not_ready: [] }],
});

const NotReadyResponse = Type.Object(ready, {
  title: 'Readiness',
  'x-response-description': 'Requests would not be served now.',
  examples: [{ status: 'not_ready', not_ready: ['database'] }],
});

const MetricsResponse = {
  description: 'Prometheus’ text format.',
  content: { 'text/plain': { schema: Type.String() } },
};

/** For load balancers and monitoring: public, and never counted. */
export function statusRoutes(app: App, services: Services): void {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the process lives',
        tags: ['Status'],
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
        summary: 'Whether requests would be served',
        tags: ['Status'],
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
        summary: 'Prometheus metrics',
        tags: ['Status'],
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
