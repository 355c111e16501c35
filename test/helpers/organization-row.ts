import type { Organization } from '../../src/organizations/organizations.ts';

/** An organization as the store keeps it. */
export const organizationRow = (orgId: string): Organization => ({
  orgId,
  name: 'Acme',
  tier: 'free',
  custom: null,
  createdAt: 1,
  revision: 1,
});
