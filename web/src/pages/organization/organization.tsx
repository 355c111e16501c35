import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { openAlertsQuery } from '../../api/alerts.ts';
import { organizationQuery } from '../../api/organizations.ts';
import { isStatus } from '../../api/problem.ts';
import { isUsedUp } from '../../lib/quota.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { NotFound } from '../not-found.tsx';
import { AlertBanner } from './alert-banner.tsx';
import { OverQuotaBanner } from './over-quota-banner.tsx';
import { Tabs } from './tabs.tsx';

const route = getRouteApi('/signed-in/organizations/$orgId');

/** The common part of an organization's pages: its name, what must be known at once, and the navigation. */
export default function OrganizationFrame() {
  const { orgId } = route.useParams();
  const query = useQuery(organizationQuery(orgId));
  const alerts = useQuery(openAlertsQuery(orgId));
  const nowMs = useNow(10_000);
  if (isStatus(query.error, 404)) return <NotFound />;
  const placeholder = <SkeletonBlock height={30} />;
  return (
    <Loaded query={query} placeholder={placeholder}>
      {(organization) => {
        const Banner = isUsedUp(organization.quota, nowMs) ? OverQuotaBanner : AlertBanner;
        // A banner that appeared later would move the page.
        return alerts.isPending ? (
          placeholder
        ) : (
          <>
            <div className="grid min-w-0 grid-cols-1 gap-1">
              <Link to="/organizations" className="w-fit text-muted hover:text-ink">
                Organizations
              </Link>
              <div className="flex items-center gap-3">
                <h1 title={organization.name} className="min-w-0 truncate font-semibold text-xl">
                  {organization.name}
                </h1>
                <Badge>{organization.tier}</Badge>
              </div>
            </div>
            <Tabs orgId={orgId} />
            <Banner organization={organization} alerts={alerts.data ?? []} />
            <Outlet />
          </>
        );
      }}
    </Loaded>
  );
}
