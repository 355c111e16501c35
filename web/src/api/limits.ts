import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { inOrganization, keyOf } from './organizations.ts';
import type { components } from './schema.ts';

export type Limit = components['schemas']['Limit'];
export type NewLimit = Pick<Limit, 'unit' | 'window' | 'amount' | 'max_wait_seconds'>;

/** What limits belong to: a key, or the organization itself if `keyId` is null. */
export interface LimitScope {
  readonly orgId: string;
  readonly keyId: string | null;
}

const refreshMs = 30_000;

const ofLimit = (orgId: string, limitId: string) => ({ path: { org_id: orgId, limit_id: limitId } });

/** The limits of all scopes. */
export const allLimitsOf = (orgId: string) => ({ queryKey: keyOf(orgId, 'limits') });

export const limitsQuery = ({ orgId, keyId }: LimitScope) =>
  queryOptions({
    queryKey: [...allLimitsOf(orgId).queryKey, keyId],
    queryFn: async () =>
      (
        await answered(
          api.GET('/v1/organizations/{org_id}/limits', {
            params: { ...inOrganization(orgId), query: keyId === null ? {} : { key_id: keyId } },
          }),
        )
      ).data,
    refetchInterval: refreshMs,
  });

export const createLimit = ({ orgId, keyId }: LimitScope, limit: NewLimit) =>
  answered(
    api.POST('/v1/organizations/{org_id}/limits', {
      params: inOrganization(orgId),
      body: { key_id: keyId, ...limit },
    }),
  );

export const changeLimit = (orgId: string, limitId: string, amount: number) =>
  answered(
    api.PATCH('/v1/organizations/{org_id}/limits/{limit_id}', {
      params: ofLimit(orgId, limitId),
      body: { amount },
    }),
  );

export const removeLimit = (orgId: string, limitId: string) =>
  answered(api.DELETE('/v1/organizations/{org_id}/limits/{limit_id}', { params: ofLimit(orgId, limitId) }));
