import { queryOptions } from '@tanstack/react-query';
import { call, rowsOf } from './client.ts';
import type { components } from './schema.ts';

export type ServiceFigure = components['schemas']['ServiceFigure'];

const refreshMs = 5_000;

/** How the service is, for its administrators. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: () => rowsOf(call('get', '/v1/service')),
  staleTime: 0,
  refetchInterval: refreshMs,
});
