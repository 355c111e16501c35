import { Type } from 'typebox';
import { List, Nullable, Text } from './common.ts';

const Figure = Type.Object(
  {
    name: Text('What it is, such as `queue_texts`.'),
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: 'Null: unknown.',
    }),
    unit: Nullable(Text('Such as `texts`, `bytes` or `s`.')),
    metric: Nullable(Text('The name of the Prometheus metric with the same value, if there is one.')),
  },
  { title: 'ServiceFigure' },
);

export const ServiceResponse = List(
  'ServiceFigures',
  Figure,
  'The state of the process that responds, and of the database that it shares with the others.',
  { name: 'queue_texts', value: 0, unit: 'texts', metric: 'te_queue_size' },
);
