import { Type } from 'typebox';
import { Choice, Count, Id, Many, Nullable, response, Text, Timestamp } from './common.ts';

export const HealthResponse = Type.Object(
  { status: Type.Literal('ok'), time: Timestamp, version: Type.String() },
  response('Health', 'The process is running.'),
);

const readiness = {
  status: Choice(['ready', 'not_ready']),
  not_ready: Many(Type.String(), 'The parts that are not ready.'),
};

export const ReadyResponse = Type.Object(readiness, response('Readiness', 'The service is ready.'));

export const NotReadyResponse = Type.Object(readiness, response('Readiness', 'The service is not ready.'));

export const MetricsResponse = {
  description: 'Metrics in the Prometheus text format.',
  content: { 'text/plain': { schema: Type.String() } },
};

const Figure = Type.Object(
  {
    name: Text('What it is, such as `queue_texts`.'),
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: 'Null: unknown.',
    }),
    unit: Nullable(Text('Such as `texts`, `bytes` or `s`.')),
    metric: Nullable(Text('The name of the Prometheus metric with the same value, if there is one.')),
    hour: Nullable(Many(Nullable(Type.Number()), 'Of the last 60 minutes, the current one last.')),
  },
  { title: 'ServiceFigure' },
);

const Busy = Type.Object(
  { org_id: Id(), name: Nullable(Text('Null: it has been deleted.')), computing_ms: Count() },
  { title: 'BusyOrganization' },
);

export const ServiceResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Figure),
    busiest: Many(
      Busy,
      'The five organizations that models computed for the longest in the last five minutes.',
    ),
  },
  response(
    'ServiceFigures',
    'The state of the process that responds, and of the database that it shares with the others.',
  ),
);
