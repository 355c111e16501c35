import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import type { components } from './schema.ts';

export type Role = 'owner' | 'admin' | 'member' | 'viewer';
export type Organization = components['schemas']['Organization'] & { readonly role: Role };
export type Tier = Organization['tier'];
export type QuotaWindow = Organization['quota']['window'];

interface List<Item> {
  readonly data: Item[];
}

const pathOf = (orgId: string): string => `/v1/organizations/${encodeURIComponent(orgId)}`;

export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async () => (await request<List<Organization>>('GET', '/v1/organizations')).data,
});

export const organizationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['organizations', orgId],
    queryFn: () => request<Organization>('GET', pathOf(orgId)),
  });

export const createOrganization = (name: string): Promise<Organization> =>
  request('POST', '/v1/organizations', { name });

export interface OrganizationChange {
  readonly name?: string;
  readonly tier?: Tier;
  /** null: the tier's own. */
  readonly limit?: { readonly requests: number; readonly window: QuotaWindow } | null;
}

export const changeOrganization = (orgId: string, change: OrganizationChange): Promise<Organization> =>
  request('PATCH', pathOf(orgId), change);

export const deleteOrganization = (orgId: string): Promise<void> => request('DELETE', pathOf(orgId));
