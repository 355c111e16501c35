import { queryOptions } from '@tanstack/react-query';
import { call, type SearchOf } from './client.ts';
import { keyOf } from './organizations.ts';
import { pagesOf } from './pages.ts';
import type { components } from './schema.ts';

/** A key with its requests of the last 30 days. */
export type ListedKey = components['schemas']['ListedKey'];
/** A key, without its requests. */
export type Key = Omit<ListedKey, 'requests_30d' | 'series_30d'>;
export type KeyDetails = components['schemas']['KeyDetails'];
export type KeySearch = SearchOf<'/v1/organizations/{org_id}/keys'>;
export type Scope = ListedKey['scopes'][number];
export type CreatedKey = components['schemas']['CreatedKey'];

export const allKeysOf = (org_id: string) => keyOf(org_id, 'keys');

export const loadKey = ({ org_id, key_id }: Pick<Key, 'org_id' | 'key_id'>) =>
  call('get', '/v1/organizations/{org_id}/keys/{key_id}', { org_id, key_id });

export const keyQuery = (org_id: string, key_id: string) =>
  queryOptions({
    queryKey: [...allKeysOf(org_id), key_id],
    queryFn: () => loadKey({ org_id, key_id }),
  });

export const keysQuery = (org_id: string, search: KeySearch) =>
  pagesOf([...allKeysOf(org_id), search], (page) =>
    call('get', '/v1/organizations/{org_id}/keys', { org_id, ...search, ...page }),
  );

/** What the page of the keys lists unless its address says otherwise. */
export const listedFirst = { sort: '-created', status: 'active' } as const;

export const createKey = (org_id: string, body: components['schemas']['NewKey']) =>
  call('post', '/v1/organizations/{org_id}/keys', { org_id }, body);

export const changeKey = (
  { org_id, key_id }: Pick<Key, 'org_id' | 'key_id'>,
  changes: components['schemas']['KeyChanges'],
) => call('patch', '/v1/organizations/{org_id}/keys/{key_id}', { org_id, key_id }, changes);

export const revokeKey = (org_id: string, key_id: string) =>
  call('post', '/v1/organizations/{org_id}/keys/{key_id}/revoke', { org_id, key_id });

export const rotateKey = (org_id: string, key_id: string, grace_seconds: number) =>
  call('post', '/v1/organizations/{org_id}/keys/{key_id}/rotate', { org_id, key_id }, { grace_seconds });
