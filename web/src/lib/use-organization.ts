import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type Organization, organizationQuery } from '../api/organizations.ts';
import { usePageTitle } from './page-title.ts';

/** The organization of a page. The window's title names both. */
export function useOrganization(pageName: string): Organization {
  const { orgId } = useParams({ from: '/signed-in/organizations/$orgId' });
  const { data } = useSuspenseQuery(organizationQuery(orgId));
  usePageTitle(`${pageName} · ${data.name}`);
  return data;
}
