import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { inOrganization, keyOf } from './organizations.ts';
import type { components } from './schema.ts';

export type Key = components['schemas']['Key'];
export type CreatedKey = components['schemas']['CreatedKey'];

const ofKey = (orgId: string, keyId: string) => ({ path: { org_id: orgId, key_id: keyId } });

export const keysQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'keys'),
    queryFn: async () =>
      (await answered(api.GET('/v1/organizations/{org_id}/keys', { params: inOrganization(orgId) }))).data,
  });

/** `days` is null for a key that never expires. */
export const createKey = (orgId: string, name: string, days: number | null) =>
  answered(
    api.POST('/v1/organizations/{org_id}/keys', {
      params: inOrganization(orgId),
      body: { name, expires_in_days: days },
    }),
  );

export const revokeKey = (orgId: string, keyId: string) =>
  answered(api.POST('/v1/organizations/{org_id}/keys/{key_id}/revoke', { params: ofKey(orgId, keyId) }));

export const rotateKey = (orgId: string, keyId: string, graceSeconds: number) =>
  answered(
    api.POST('/v1/organizations/{org_id}/keys/{key_id}/rotate', {
      params: ofKey(orgId, keyId),
      body: { grace_seconds: graceSeconds },
    }),
  );
