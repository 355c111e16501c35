import { useSuspenseQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { type Organization, organizationQuery } from '../api/organizations.ts';

/** The identifier of the organization whose pages are shown. */
export const OrganizationId = createContext('');

/** The organization of a page. */
export function useOrganization(): Organization {
  return useSuspenseQuery(organizationQuery(useContext(OrganizationId))).data;
}
