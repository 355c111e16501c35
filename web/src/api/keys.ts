import { answered, api } from './client.ts';
import { inOrganization, keyOf } from './organizations.ts';
import { type ListSearch, pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type Key = components['schemas']['ListedKey'];
export type CreatedKey = components['schemas']['CreatedKey'];

const ofKey = (orgId: string, keyId: string) => ({ path: { org_id: orgId, key_id: keyId } });

export const allKeysOf = (orgId: string) => ({ queryKey: keyOf(orgId, 'keys') });

export const keysQuery = (orgId: string, search: ListSearch) =>
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
