import { queryOptions } from '@tanstack/react-query';
import { refreshAfterMs } from '../lib/quota.ts';
import { answered, api } from './client.ts';
import { type ListSearch, pagesOf } from './pages.ts';
import { queryClient } from './query-client.ts';
import type { components } from './schema.ts';

export type Role = components['schemas']['Member']['role'];
/** An organization, with the signed-in user's rights in it. */
export type Organization = components['schemas']['Organization'] & components['schemas']['Access'];
export type Tier = components['schemas']['Tier'];
export type QuotaWindow = Organization['quota']['window'];
export type Unit = Organization['quota']['unit'];

/** Returns the query key of something that belongs to an organization. */
export const keyOf = (orgId: string, ...what: string[]) => ['organizations', orgId, ...what];
/** Returns the path parameter of the routes about an organization. */
export const inOrganization = (orgId: string) => ({ path: { org_id: orgId } });

const allOrganizations = 'organization-list';

export const organizationsQuery = (search: ListSearch = {}) =>
  pagesOf([allOrganizations, search], (page) =>
    answered(api.GET('/v1/organizations', { params: { query: { ...search, ...page } } })),
  );

/** Makes the next page that needs the list load it again, because it may have changed. */
export const outdateOrganizations = () =>
  queryClient.invalidateQueries({ queryKey: [allOrganizations], refetchType: 'none' });

/** The operator changes tiers by a restart, so one response is enough for a visit. */
export const tiersQuery = queryOptions({
  queryKey: ['tiers'],
  queryFn: async () => (await answered(api.GET('/v1/tiers'))).data,
  staleTime: Number.POSITIVE_INFINITY,
});

export const organizationQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId),
    queryFn: async (): Promise<Organization> => {
      const params = inOrganization(orgId);
      const [organization, access] = await Promise.all([
        answered(api.GET('/v1/organizations/{org_id}', { params })),
        answered(api.GET('/v1/organizations/{org_id}/access', { params })),
      ]);
      return { ...organization, ...access };
    },
    refetchInterval: ({ state }) => refreshAfterMs(state.data?.quota),
  });

export const createOrganization = (name: string) =>
  answered(api.POST('/v1/organizations', { body: { name } }));

export const renameOrganization = (orgId: string, name: string) =>
  answered(api.PATCH('/v1/organizations/{org_id}', { params: inOrganization(orgId), body: { name } }));

export const setTier = (orgId: string, body: components['schemas']['SetTierRequest']) =>
  answered(api.PUT('/v1/organizations/{org_id}/tier', { params: inOrganization(orgId), body }));

export const purgeVectors = (orgId: string) =>
  answered(api.DELETE('/v1/organizations/{org_id}/vectors', { params: inOrganization(orgId) }));

export const deleteOrganization = (orgId: string) =>
  answered(api.DELETE('/v1/organizations/{org_id}', { params: inOrganization(orgId) }));
