import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { userQuery } from '../../api/auth.ts';
import { onlyOne, organizationsQuery } from '../../api/organizations.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { NewOrganization } from './new-organization.tsx';
import { NoOrganization } from './no-organization.tsx';
import { OrganizationCard } from './organization-card.tsx';

const refreshMs = 60_000;

/** The usage of each organization, its forecast, and what needs attention. */
export default function Organizations() {
  usePageTitle('Organizations');
  const query = useQuery({ ...organizationsQuery, refetchInterval: refreshMs });
  const { data: user } = useQuery(userQuery);
  const nowMs = useNow(60_000);
  const [creating, setCreating] = useState(false);
  const orgId = query.data && onlyOne(query.data);
  if (orgId) return <Navigate to="/organizations/$orgId/usage" params={{ orgId }} replace />;
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h1 className="font-semibold text-xl">Organizations</h1>
        {user?.is_admin && <Button onClick={() => setCreating(true)}>New organization</Button>}
      </div>
      <Loaded query={query} placeholder={<SkeletonBlock height={20} />}>
        {(organizations) =>
          organizations.length === 0 ? (
            user && !user.is_admin ? (
              <NoOrganization user={user} />
            ) : (
              <Empty title="There is no organization yet.">
                Create one to give it members, API keys and a quota.
              </Empty>
            )
          ) : (
            <ShowMore items={organizations} name="organizations" first={20}>
              {(shown) => (
                <ul className="grid grid-cols-1 gap-4">
                  {shown.map((organization) => (
                    <li key={organization.org_id}>
                      <OrganizationCard organization={organization} nowMs={nowMs} />
                    </li>
                  ))}
                </ul>
              )}
            </ShowMore>
          )
        }
      </Loaded>
      {creating && <NewOrganization onClose={() => setCreating(false)} />}
    </>
  );
}
