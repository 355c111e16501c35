import { queryOptions } from '@tanstack/react-query';
import { call, rowsOf } from './client.ts';
import type { components } from './schema.ts';

export type ServiceFigure = components['schemas']['ServiceFigure'];

const refreshMs = 5_000;

/** How the service is, for its administrators. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: () => call('get', '/v1/service'),
  staleTime: 0,
  refetchInterval: refreshMs,
});

/** The requests of all organizations with an identifier, which clients can choose. */
export const foundRequestsQuery = (request_id: string) =>
  queryOptions({
    queryKey: ['found requests', request_id],
    queryFn: () => rowsOf(call('get', '/v1/requests', { request_id })),
    enabled: request_id !== '',
  });
