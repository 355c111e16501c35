import { infiniteQueryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { inOrganization, keyOf, type Role } from './organizations.ts';
import { pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type UpgradeRequest = components['schemas']['UpgradeRequest'];

/** The requests of an organization for another plan. */
export const upgradesQuery = (orgId: string) =>
  pagesOf(keyOf(orgId, 'upgrade requests'), (page) =>
    answered(
      api.GET('/v1/organizations/{org_id}/upgrade-requests', {
        params: { ...inOrganization(orgId), query: page },
      }),
    ),
  );

export const requestUpgrade = (orgId: string, tier: string) =>
  answered(
    api.POST('/v1/organizations/{org_id}/upgrade-requests', {
      params: inOrganization(orgId),
      body: { tier },
    }),
  );

export const decideUpgrade = (orgId: string, upgradeId: string, approve: boolean) =>
  answered(
    api.POST('/v1/organizations/{org_id}/upgrade-requests/{upgrade_id}/decide', {
      params: { path: { org_id: orgId, upgrade_id: upgradeId } },
      body: { approve },
    }),
  );

export const withdrawUpgrade = (orgId: string, upgradeId: string) =>
  answered(
    api.DELETE('/v1/organizations/{org_id}/upgrade-requests/{upgrade_id}', {
      params: { path: { org_id: orgId, upgrade_id: upgradeId } },
    }),
  );

/** The people who ask to become members of an organization. */
export const accessRequestsQuery = (orgId: string) =>
  pagesOf(keyOf(orgId, 'access requests'), (page) =>
    answered(
      api.GET('/v1/organizations/{org_id}/access-requests', {
        params: { ...inOrganization(orgId), query: page },
      }),
    ),
  );

/** What a person without an organization has asked for. */
export const ownAccessQuery = infiniteQueryOptions({
  ...pagesOf(['access requests'], (page) =>
    answered(api.GET('/v1/access-requests', { params: { query: page } })),
  ),
});

export const requestAccess = (organization: string) =>
  answered(api.POST('/v1/access-requests', { body: { organization } }));

export const acceptAccess = (orgId: string, accessId: string, role: Role) =>
  answered(
    api.POST('/v1/organizations/{org_id}/access-requests/{access_id}/accept', {
      params: { path: { org_id: orgId, access_id: accessId } },
      body: { role },
    }),
  );

export const declineAccess = (orgId: string, accessId: string) =>
  answered(
    api.DELETE('/v1/organizations/{org_id}/access-requests/{access_id}', {
      params: { path: { org_id: orgId, access_id: accessId } },
    }),
  );
