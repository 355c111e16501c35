import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { listView } from '../../api/common.ts';
import { ErrorBody } from '../../api/error.ts';
import {
  HealthResponse,
  MetricsResponse,
  NotReadyResponse,
  ReadyResponse,
  ServiceResponse,
} from '../../api/status.ts';
import { notFound, ServiceError } from '../../errors.ts';
import { isoTime } from '../../lib/clock.ts';
import type { BoundName } from '../../load/load.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';

/** They hold only their connection, and must get a response whatever the others do. */
const waitsForNothing = { waitsFor: 'nothing' } as const;

/** Registers the public routes for load balancers and monitoring. They are never counted. */
export function statusRoutes(app: App, services: Services): void {
  app.get(
    '/health',
    described(waitsForNothing, 'getHealth', 'Check whether the process is running', {
      response: { 200: HealthResponse },
    }),
    async () => ({ status: 'ok' as const, time: isoTime(services.clock.now()), version: services.version }),
  );

  app.get(
    '/ready',
    described(waitsForNothing, 'getReadiness', 'Check whether the service is ready', {
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
    described(waitsForNothing, 'getMetrics', 'Get the Prometheus metrics', {
      response: { 200: MetricsResponse, 401: ErrorBody },
    }),
    async (request, reply) => {
      // Otherwise a proxy that blocks the path and takes the path of PUBLIC_URL off would let it pass with that twice.
      if (request.originalUrl !== request.url) throw notFound('Metrics are not below the path of PUBLIC_URL');
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

const failuresShownMs = 7 * 86_400_000;

/** Registers the route with which administrators see the state of the service. */
export function serviceRoute(app: App, services: Services): void {
  app.get(
    '/v1/service',
    described('installation.read', 'getService', 'Get the state of the service', {
      description:
        'Counters cover the time since the process started, latencies and what has `hour` the last hour. With ' +
        'several replicas, each request shows one of them.',
      response: { 200: ServiceResponse },
    }),
    async () => ({ ...listView(await figuresOf(services)), busiest: await busiestOf(services) }),
  );
}

function busiestOf({ computingTime, organizations }: Services) {
  const named = computingTime.busiest(5).map(async ([orgId, ms]) => {
    const found = await organizations.get(orgId).catch(() => null);
    return { org_id: orgId, name: found?.name ?? null, computing_ms: Math.round(ms) };
  });
  return Promise.all(named);
}

async function figuresOf(services: Services) {
  const { version, clock, startedAtMs, config, load, models, recorder, stores, cacheStats } = services;
  const { hour } = services.metrics;
  const { waitingTexts, admittedTokens, runningBatches } = models.queue;
  const cache = cacheStats();
  const [notReady, failed] = await Promise.all([
    services.notReady(),
    stores.deliveries.countFailed(clock.now() - failuresShownMs),
  ]);
  const backupMs = services.lastBackupMs();
  const lastBackup = backupMs === 0 ? 'never' : backupMs && isoTime(backupMs);
  const workers = models.all.reduce((sum, { settings }) => sum + (Number(settings.workers) || 0), 0);
  const figure = (
    name: string,
    value: string | number | boolean | null,
    unit: string | null = null,
    metric: string | null = null,
  ) => ({ name, value, unit, metric, hour: null as (number | null)[] | null });
  const hourly = (name: string, unit: string, of: (minutes: typeof hour) => number | null) => ({
    ...figure(name, of(hour), unit),
    hour: hour.map((minute) => of([minute])),
  });
  const refusals = (name: string, unit: string, bound: BoundName) =>
    figure(name, load.reached.get(bound)!, unit, `embedgate_bound_reached_total{bound="${bound}"}`);
  return [
    figure('version', version, null, 'embedgate_build_info'),
    figure('uptime', Math.floor((clock.now() - startedAtMs) / 1_000), 's'),
    figure('ready', notReady.length === 0),
    figure('not_ready', notReady.length === 0 ? null : notReady.join(', ')),
    figure('database', config.postgres === null ? 'sqlite' : 'postgres'),
    figure('database_ready', !notReady.includes('database')),
    figure('queue_texts', waitingTexts, 'texts', 'te_queue_size'),
    figure('queue_tokens', admittedTokens, 'tokens', 'embedgate_queue_tokens'),
    refusals('queue_refusals', 'requests', 'MAX_QUEUE_TOKENS'),
    refusals('address_refusals', 'connections', 'MAX_CONNECTIONS_PER_ADDRESS'),
    figure('workers', workers, 'workers'),
    figure('batches_running', runningBatches, 'batches', 'embedgate_batches_running'),
    figure('latency_p50', services.metrics.latencyMs(0.5), 'ms'),
    hourly('latency_p95', 'ms', (minutes) => services.metrics.latencyMs(0.95, minutes)),
    ...(['served', 'refused', 'failed'] as const).map((name) =>
      hourly(name, 'requests', (minutes) => minutes.reduce((sum, minute) => sum + minute[name], 0)),
    ),
    figure('cache_memory_hits', cache.memoryHits, 'texts', 'embedgate_cache_memory_hits_total'),
    figure('cache_store_hits', cache.storeHits, 'texts', 'embedgate_cache_store_hits_total'),
    figure('cache_misses', cache.misses, 'texts', 'embedgate_cache_misses_total'),
    figure('cache_memory_bytes', cache.memoryBytes, 'bytes', 'embedgate_cache_memory_bytes'),
    figure('usage_records_waiting', recorder.waiting, 'records', 'embedgate_usage_records_waiting'),
    figure('last_backup', lastBackup, null, 'embedgate_last_backup_timestamp_seconds'),
    figure('alert_deliveries_failed_7d', failed, 'deliveries'),
  ];
}
