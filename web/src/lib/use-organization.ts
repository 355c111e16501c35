import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { type Organization, organizationQuery } from '../api/organizations.ts';

/** The identifier of the organization whose pages are shown. */
export const OrganizationId = createContext('');

/** The organization of a page. */
export function useOrganization(): Organization {
  return useSuspenseQuery(organizationQuery(useContext(OrganizationId))).data;
}

/** Administrators may do everything with the keys of the installation. */
const installation = { org_id: '', may: ['keys.create', 'keys.change-any', 'keys.let-manage'] };

/** Returns whose keys a page shows. An empty id is the installation's. */
export function useKeyOwner(): Pick<Organization, 'org_id' | 'may'> {
  const orgId = useContext(OrganizationId);
  return useQuery({ ...organizationQuery(orgId), enabled: orgId !== '' }).data ?? installation;
}
