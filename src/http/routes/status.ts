import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { ErrorBody } from '../../api/error.ts';
import { HealthResponse, MetricsResponse, NotReadyResponse, ReadyResponse } from '../../api/status.ts';
import { ServiceError } from '../../errors.ts';
import { isoTime } from '../../lib/clock.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';

/** Registers the public routes for load balancers and monitoring. They are never counted. */
export function statusRoutes(app: App, services: Services): void {
  app.get(
    '/health',
    described('public', 'getHealth', 'Check whether the process is running', {
      response: { 200: HealthResponse },
    }),
    async () => ({ status: 'ok' as const, time: isoTime(services.clock.now()), version: services.version }),
  );

  app.get(
    '/ready',
    described('public', 'getReadiness', 'Check whether the service is ready', {
      response: { 200: ReadyResponse, 503: NotReadyResponse },
    }),
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
    described('public', 'getMetrics', 'Get the Prometheus metrics', {
      response: { 200: MetricsResponse, 401: ErrorBody },
    }),
    async (request, reply) => {
      requireToken(services.config.metricsToken, request.headers.authorization);
      sendMetrics(reply, await services.metrics.read());
      return reply;
    },
  );
}

/** Sends bytes, although the schema says text: all readers share them. */
function sendMetrics(
  reply: FastifyReply,
  { contentType, text }: { contentType: string; text: Buffer },
): void {
  reply.type(contentType).send(text);
}

function requireToken(token: string | null, authorization: string | undefined): void {
  if (token === null) return;
  // Digests have the same length, and comparing them does not reveal how much of the token is right.
  const [expected, sent] = [`Bearer ${token}`, authorization ?? ''].map((text) =>
    hash('sha256', text, 'buffer'),
  );
  if (timingSafeEqual(expected!, sent!)) return;
  throw new ServiceError('invalid_api_key', 'Send the value of METRICS_TOKEN as a bearer token');
}
