import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { organizationQuery } from '../../api/organizations.ts';
import { isStatus } from '../../api/problem.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { NotFound } from '../not-found.tsx';
import { Tabs } from './tabs.tsx';

const route = getRouteApi('/signed-in/organizations/$orgId');

/** What the pages of an organization share: its name, what must be known at once, and the way from one to another. */
export default function OrganizationFrame() {
  const { orgId } = route.useParams();
  const query = useQuery(organizationQuery(orgId));
  if (isStatus(query.error, 404)) return <NotFound />;
  return (
    <Loaded query={query} placeholder={<SkeletonBlock height={30} />}>
      {({ name, tier }) => (
        <>
          <div className="flex items-center gap-3">
            <h1 className="truncate font-semibold text-xl">{name}</h1>
            <Badge>{tier}</Badge>
          </div>
          <Tabs orgId={orgId} />
          <Outlet />
        </>
      )}
    </Loaded>
  );
}
