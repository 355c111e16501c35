import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { openAlertsQuery } from '../../api/alerts.ts';
import { organizationQuery } from '../../api/organizations.ts';
import { isStatus } from '../../api/problem.ts';
import { OrganizationId } from '../../lib/use-organization.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { SkeletonPage } from '../../ui/skeleton.tsx';
import { NotFound } from '../not-found.tsx';

const route = getRouteApi('/signed-in/organizations/$orgId');

export default function OrganizationFrame() {
  const { orgId } = route.useParams();
  return (
    <OfOrganization orgId={orgId}>
      <Outlet />
    </OfOrganization>
  );
}

/** Pages of an organization, as soon as it has loaded, and its alerts, whose line would move the page later. */
export function OfOrganization({ orgId, children }: { orgId: string; children: ReactNode }) {
  const query = useQuery(organizationQuery(orgId));
  const { isPending } = useQuery(openAlertsQuery(orgId));
  if (isStatus(query.error, 404)) return <NotFound />;
  return (
    <OrganizationId key={orgId} value={orgId}>
      <Loaded query={query} placeholder={<SkeletonPage />}>
        {() => (isPending ? <SkeletonPage /> : children)}
      </Loaded>
    </OrganizationId>
  );
}
