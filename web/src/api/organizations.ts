import { queryOptions } from '@tanstack/react-query';
import { call, rowsOf, type SearchOf } from './client.ts';
import { pagesOf } from './pages.ts';
import { queryClient } from './query-client.ts';
import type { components } from './schema.ts';

export type Role = components['schemas']['Member']['role'];
/** An organization, with the signed-in user's rights in it. */
export type Organization = components['schemas']['OrganizationDetails'];
/** An organization in a list, with what its row shows. */
export type ListedOrganization = components['schemas']['ListedOrganization'];
export type Tier = components['schemas']['Tier'];
export type QuotaWindow = Organization['quota']['window'];
export type Unit = Organization['quota']['unit'];

/** The query key of all that belongs to any organization. */
export const ofAnyOrganization = ['organizations'];
/** Returns the query key of something that belongs to an organization. */
export const keyOf = (orgId: string, ...what: string[]) => [...ofAnyOrganization, orgId, ...what];

const allOrganizations = 'organization-list';

export type OrganizationSearch = SearchOf<'/v1/organizations'>;

export const organizationsQuery = (search: OrganizationSearch = {}) =>
  pagesOf([allOrganizations, search], (page) => call('get', '/v1/organizations', { ...search, ...page }));

/** Makes the next page that needs the list load it again, because it may have changed. */
export const outdateOrganizations = () =>
  queryClient.invalidateQueries({ queryKey: [allOrganizations], refetchType: 'none' });

/** The operator changes tiers by a restart, so one response is enough for a visit. */
export const tiersQuery = queryOptions({
  queryKey: ['tiers'],
  queryFn: () => rowsOf(call('get', '/v1/tiers')),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The pages of an organization load it again: see `useLive`. */
export const organizationQuery = (org_id: string) =>
  queryOptions({
    queryKey: keyOf(org_id),
    queryFn: () => call('get', '/v1/organizations/{org_id}', { org_id }),
  });

export const createOrganization = (body: { name: string }) => call('post', '/v1/organizations', {}, body);

export const renameOrganization = (org_id: string, name: string) =>
  call('patch', '/v1/organizations/{org_id}', { org_id }, { name });

/** Null resumes it. */
export const suspendOrganization = (org_id: string, suspended: string | null) =>
  call('patch', '/v1/organizations/{org_id}', { org_id }, { suspended });

export const setTier = (org_id: string, body: components['schemas']['TierChange']) =>
  call('put', '/v1/organizations/{org_id}/tier', { org_id }, body);

export const purgeVectors = (org_id: string) =>
  call('delete', '/v1/organizations/{org_id}/vectors', { org_id });

export const deleteOrganization = (org_id: string, withPeople: boolean) =>
  call('delete', '/v1/organizations/{org_id}', { org_id, people: withPeople ? 'delete' : 'keep' });
