import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { inOrganization, keyOf } from './organizations.ts';
import type { components, paths } from './schema.ts';

export type LoggedRequest = components['schemas']['LoggedRequest'];
export type RequestFilter = Omit<
  NonNullable<paths['/v1/organizations/{org_id}/requests']['get']['parameters']['query']>,
  'limit' | 'after' | 'sort'
>;

const rowsPerPage = 50;

/** The log of an organization, newest first. */
export const requestsQuery = (orgId: string, filter: RequestFilter, limit = rowsPerPage) =>
  infiniteQueryOptions({
    queryKey: keyOf(orgId, 'requests', JSON.stringify(filter), String(limit)),
    queryFn: ({ pageParam }) =>
      answered(
        api.GET('/v1/organizations/{org_id}/requests', {
          params: {
            ...inOrganization(orgId),
            query: { ...filter, limit, ...(pageParam !== null && { after: pageParam }) },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });

export const histogramQuery = (orgId: string, filter: RequestFilter) =>
  queryOptions({
    queryKey: keyOf(orgId, 'requests', 'histogram', JSON.stringify(filter)),
    queryFn: () =>
      answered(
        api.GET('/v1/organizations/{org_id}/requests/histogram', {
          params: { ...inOrganization(orgId), query: filter },
        }),
      ),
    staleTime: 0,
  });
