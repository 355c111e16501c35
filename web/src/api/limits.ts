import { queryOptions } from '@tanstack/react-query';
import { call, rowsOf, type SearchOf } from './client.ts';
import { keyOf } from './organizations.ts';
import { pagesOf, refreshMs } from './pages.ts';
import type { components } from './schema.ts';

export type Limit = components['schemas']['Limit'];
/** A limit of any organization. */
export type LimitUse = components['schemas']['LimitUse'];
export type NewLimit = Pick<Limit, 'unit' | 'window' | 'amount' | 'max_wait_seconds'>;

/** What limits belong to: a key, a member, new keys, or else the organization itself. */
export interface LimitScope {
  readonly orgId: string;
  readonly of?:
    | { readonly key_id: string }
    | { readonly user_id: string }
    | { readonly applies_to: 'new_keys' };
}

/** What the limits that new keys get belong to. */
export const newKeys = { applies_to: 'new_keys' } as const;

/** The limits of all scopes. */
export const allLimitsOf = (org_id: string) => keyOf(org_id, 'limits');

export const limitsQuery = ({ orgId: org_id, of }: LimitScope) =>
  queryOptions({
    queryKey: [...allLimitsOf(org_id), of],
    queryFn: () => rowsOf(call('get', '/v1/organizations/{org_id}/limits', { org_id, ...of })),
    refetchInterval: refreshMs,
  });

/** The limits of an organization or, with the empty id, of all, by their used share. */
export function limitsByUseQuery(org_id: string, chosen: Readonly<Record<string, string>>) {
  // With what the service can filter by: its address says so.
  const filter = chosen as object as SearchOf<'/v1/limits'>;
  return pagesOf([...allLimitsOf(org_id), 'by use', chosen], (page) =>
    org_id === ''
      ? call('get', '/v1/limits', { ...filter, ...page })
      : call('get', '/v1/organizations/{org_id}/limits/all', { org_id, ...filter, ...page }),
  );
}

export const createLimit = ({ orgId: org_id, of }: LimitScope, limit: NewLimit) =>
  call('post', '/v1/organizations/{org_id}/limits', { org_id }, { ...of, ...limit });

export const changeLimit = (org_id: string, limit_id: string, amount: number) =>
  call('patch', '/v1/organizations/{org_id}/limits/{limit_id}', { org_id, limit_id }, { amount });

export const removeLimit = (org_id: string, limit_id: string) =>
  call('delete', '/v1/organizations/{org_id}/limits/{limit_id}', { org_id, limit_id });
