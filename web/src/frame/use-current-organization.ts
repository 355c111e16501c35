import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Organization, organizationQuery, organizationsQuery } from '../api/organizations.ts';

const storageKey = 'organizations';
const maxRecent = 8;

/** Returns the organizations that this browser showed last, latest first. */
export function recentOrganizations(): string[] {
  const ids: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, maxRecent) : [];
}

/**
 * Returns the organization of the page or, on a page of none, the last one that this browser showed. Undefined while it
 * loads, and for people without an organization.
 */
export function useCurrentOrganization(): Organization | undefined {
  const { orgId: ofPage } = useParams({ strict: false }) as { orgId?: string };
  const list = useInfiniteQuery({ ...organizationsQuery(), enabled: ofPage === undefined });
  const [first] = list.data?.rows ?? [];
  const known = list.data?.rows.find(({ org_id }) => org_id === recentOrganizations()[0]) ?? first;
  const orgId = ofPage ?? known?.org_id;
  const { data } = useQuery({ ...organizationQuery(orgId ?? ''), enabled: orgId !== undefined });
  const shown = data?.org_id;
  useEffect(() => {
    if (shown === undefined) return;
    const others = recentOrganizations().filter((id) => id !== shown);
    localStorage.setItem(storageKey, JSON.stringify([shown, ...others].slice(0, maxRecent)));
  }, [shown]);
  return data;
}
