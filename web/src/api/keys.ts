import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { inOrganization, keyOf } from './organizations.ts';
import { pagesOf } from './pages.ts';
import type { components, paths } from './schema.ts';

/** A key with its requests of the last 30 days. */
export type ListedKey = components['schemas']['ListedKey'];
/** A key, without its requests. */
export type Key = Omit<ListedKey, 'requests_30d' | 'series_30d'>;
export type KeyDetails = components['schemas']['KeyDetails'];
export type KeySearch = Omit<
  NonNullable<paths['/v1/organizations/{org_id}/keys']['get']['parameters']['query']>,
  'limit' | 'after'
>;
export type CreatedKey = components['schemas']['CreatedKey'];

const ofKey = (orgId: string, keyId: string) => ({ path: { org_id: orgId, key_id: keyId } });

export const allKeysOf = (orgId: string) => ({ queryKey: keyOf(orgId, 'keys') });

export const keyQuery = (orgId: string, keyId: string) =>
  queryOptions({
    queryKey: [...allKeysOf(orgId).queryKey, keyId],
    queryFn: () =>
      answered(api.GET('/v1/organizations/{org_id}/keys/{key_id}', { params: ofKey(orgId, keyId) })),
  });

export const keysQuery = (orgId: string, search: KeySearch) =>
  pagesOf([...allKeysOf(orgId).queryKey, search], (page) =>
    answered(
      api.GET('/v1/organizations/{org_id}/keys', {
        params: { ...inOrganization(orgId), query: { ...search, ...page } },
      }),
    ),
  );

export const createKey = (orgId: string, body: components['schemas']['CreateKeyRequest']) =>
  answered(api.POST('/v1/organizations/{org_id}/keys', { params: inOrganization(orgId), body }));

export const revokeKey = (orgId: string, keyId: string) =>
  answered(api.POST('/v1/organizations/{org_id}/keys/{key_id}/revoke', { params: ofKey(orgId, keyId) }));

export const rotateKey = (orgId: string, keyId: string, graceSeconds: number) =>
  answered(
    api.POST('/v1/organizations/{org_id}/keys/{key_id}/rotate', {
      params: ofKey(orgId, keyId),
      body: { grace_seconds: graceSeconds },
    }),
  );
