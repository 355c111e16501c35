import { queryOptions } from '@tanstack/react-query';
import { call, type SearchOf } from './client.ts';
import { keyOf } from './organizations.ts';
import { pagesOf } from './pages.ts';
import type { components } from './schema.ts';

/** Returns the path of an organization's keys, or with the empty id that of the installation's keys. */
const at = <Path extends string>(org_id: string, path: Path): Path =>
  org_id === '' ? (path.replace('/organizations/{org_id}', '') as Path) : path;

/** The page of a key is one of an organization. */
type OfOrganization<K> = K & { org_id: string };
const ofOrganization = <K>(found: Promise<K>) => found as Promise<OfOrganization<K>>;
/** The service has made the secrets of keys that people create. */
const withSecret = <K>(created: Promise<K>) => created as Promise<OfOrganization<K> & { key: string }>;

/** A key with its requests of the last 30 days. */
export type ListedKey = OfOrganization<components['schemas']['ListedKey']>;
/** A key, without its requests. */
export type Key = Omit<ListedKey, 'requests_30d' | 'series_30d'>;
export type KeyDetails = OfOrganization<components['schemas']['KeyDetails']>;
export type KeySearch = SearchOf<'/v1/organizations/{org_id}/keys'>;
export type Scope = ListedKey['scopes'][number];
export type CreatedKey = components['schemas']['CreatedKey'] & { key: string };

export const allKeysOf = (org_id: string) => keyOf(org_id, 'keys');

export const loadKey = ({ org_id, key_id }: Pick<Key, 'org_id' | 'key_id'>) =>
  ofOrganization(call('get', '/v1/organizations/{org_id}/keys/{key_id}', { org_id, key_id }));

export const keyQuery = (org_id: string, key_id: string) =>
  queryOptions({
    queryKey: [...allKeysOf(org_id), key_id],
    queryFn: () => loadKey({ org_id, key_id }),
  });

export const keysQuery = (org_id: string, search: KeySearch) =>
  pagesOf([...allKeysOf(org_id), search], async (page) => {
    const path = at(org_id, '/v1/organizations/{org_id}/keys');
    const found = await call('get', path, { org_id, ...search, ...page });
    return { ...found, data: found.data.map((key): ListedKey => ({ ...key, org_id })) };
  });

/** What the page of the keys lists unless its address says otherwise. */
export const listedFirst = { sort: '-created', status: 'active' } as const;

export const createKey = (org_id: string, body: components['schemas']['NewKey']) =>
  withSecret(call('post', at(org_id, '/v1/organizations/{org_id}/keys'), { org_id }, body));

export const changeKey = (
  { org_id, key_id }: Pick<Key, 'org_id' | 'key_id'>,
  changes: components['schemas']['KeyChanges'],
) => call('patch', '/v1/organizations/{org_id}/keys/{key_id}', { org_id, key_id }, changes);

export const revokeKey = (org_id: string, key_id: string) =>
  call('post', at(org_id, '/v1/organizations/{org_id}/keys/{key_id}/revoke'), { org_id, key_id });

export const linkToKey = ({ org_id, key_id }: Pick<Key, 'org_id' | 'key_id'>) =>
  call('post', at(org_id, '/v1/organizations/{org_id}/keys/{key_id}/link'), { org_id, key_id });

export const openKeyLink = (token: string) => call('post', '/v1/key-links/open', {}, { token });

export const rotateKey = (org_id: string, key_id: string, grace_seconds: number) =>
  withSecret(
    call(
      'post',
      at(org_id, '/v1/organizations/{org_id}/keys/{key_id}/rotate'),
      { org_id, key_id },
      { grace_seconds },
    ),
  );
