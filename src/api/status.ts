import { Type } from 'typebox';
import { response, Timestamp } from './common.ts';

export const HealthResponse = Type.Object(
  { status: Type.Literal('ok'), time: Timestamp, version: Type.String() },
  response('Health', 'The process is running.', {
    status: 'ok',
    time: '2026-11-01T09:30:00.000Z',
    version: '1.0.0',
  }),
);

const readiness = {
  status: Type.Enum(['ready', 'not_ready'], { type: 'string' }),
  not_ready: Type.Array(Type.String(), { description: 'The parts that are not ready.' }),
};

export const ReadyResponse = Type.Object(
  readiness,
  response('Readiness', 'The service is ready.', { status: 'ready', not_ready: [] }),
);

export const NotReadyResponse = Type.Object(
  readiness,
  response('Readiness', 'The service is not ready.', { status: 'not_ready', not_ready: ['database'] }),
);

export const MetricsResponse = {
  description: 'Metrics in the Prometheus text format.',
  content: { 'text/plain': { schema: Type.String() } },
};
