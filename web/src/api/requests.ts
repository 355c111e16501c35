import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type SearchOf } from './client.ts';
import { keyOf } from './organizations.ts';
import type { components } from './schema.ts';

export type LoggedRequest = components['schemas']['LoggedRequest'];
export type RequestFilter = Omit<SearchOf<'/v1/organizations/{org_id}/requests'>, 'sort'>;

const rowsPerPage = 50;

/** Rows must not move under the pointer: `useLive` loads them again while nobody is at one. */
const atRest = { staleTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

/** The log of an organization, newest first. */
export const requestsQuery = (org_id: string, filter: RequestFilter, limit = rowsPerPage) =>
  infiniteQueryOptions({
    queryKey: keyOf(org_id, 'requests', JSON.stringify(filter), String(limit)),
    queryFn: ({ pageParam: after }) =>
      call('get', '/v1/organizations/{org_id}/requests', { org_id, ...filter, limit, after }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    ...atRest,
  });

export const histogramQuery = (org_id: string, filter: RequestFilter) =>
  queryOptions({
    queryKey: keyOf(org_id, 'requests', 'histogram', JSON.stringify(filter)),
    queryFn: () => call('get', '/v1/organizations/{org_id}/requests/histogram', { org_id, ...filter }),
    ...atRest,
  });
