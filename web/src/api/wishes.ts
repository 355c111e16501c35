import { call } from './client.ts';
import { keyOf, type Role } from './organizations.ts';
import { pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type UpgradeRequest = components['schemas']['UpgradeRequest'];

/** The requests of an organization for another plan. */
export const upgradesQuery = (org_id: string) =>
  pagesOf(keyOf(org_id, 'upgrade requests'), (page) =>
    call('get', '/v1/organizations/{org_id}/upgrade-requests', { org_id, ...page }),
  );

export const requestUpgrade = (org_id: string, tier: string) =>
  call('post', '/v1/organizations/{org_id}/upgrade-requests', { org_id }, { tier });

const upgradePath = '/v1/organizations/{org_id}/upgrade-requests/{upgrade_id}';

export const decideUpgrade = (org_id: string, upgrade_id: string, approve: boolean) =>
  call('post', `${upgradePath}/decide`, { org_id, upgrade_id }, { approve });

export const withdrawUpgrade = (org_id: string, upgrade_id: string) =>
  call('delete', upgradePath, { org_id, upgrade_id });

const accessPath = '/v1/organizations/{org_id}/access-requests';

/** The people who ask to become members of an organization. */
export const accessRequestsQuery = (org_id: string) =>
  pagesOf(keyOf(org_id, 'access requests'), (page) => call('get', accessPath, { org_id, ...page }));

/** What a person without an organization has asked for. */
export const ownAccessQuery = pagesOf(['access requests'], (page) =>
  call('get', '/v1/access-requests', page),
);

export const requestAccess = (body: { organization: string }) =>
  call('post', '/v1/access-requests', {}, body);

export const acceptAccess = (org_id: string, access_id: string, role: Role) =>
  call('post', `${accessPath}/{access_id}/accept`, { org_id, access_id }, { role });

export const declineAccess = (org_id: string, access_id: string) =>
  call('delete', `${accessPath}/{access_id}`, { org_id, access_id });
