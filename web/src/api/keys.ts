import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import type { components } from './schema.ts';

export type Key = components['schemas']['Key'];
export type CreatedKey = Key & { readonly key: string };

const keysPath = (orgId: string): string => `/v1/organizations/${encodeURIComponent(orgId)}/keys`;

export const keysQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['organizations', orgId, 'keys'],
    queryFn: async () => (await request<{ data: Key[] }>('GET', keysPath(orgId))).data,
  });

export const createKey = (orgId: string, name: string, expiresIn: string): Promise<CreatedKey> =>
  request('POST', keysPath(orgId), { name, expires_in: expiresIn });

export const revokeKey = (orgId: string, keyId: string): Promise<Key> =>
  request('POST', `${keysPath(orgId)}/${keyId}/revoke`, {});

export const rotateKey = (orgId: string, keyId: string, grace: string): Promise<CreatedKey> =>
  request('POST', `${keysPath(orgId)}/${keyId}/rotate`, { grace });
