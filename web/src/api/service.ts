import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import type { components } from './schema.ts';

export type ServiceFigure = components['schemas']['ServiceFigure'];

const refreshMs = 5_000;

/** How the service is, for its administrators. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: async () => (await answered(api.GET('/v1/service'))).data,
  staleTime: 0,
  refetchInterval: refreshMs,
});
