import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { userQuery } from '../../api/auth.ts';
import { organizationsQuery } from '../../api/organizations.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonPage } from '../../ui/skeleton.tsx';
import { OfOrganization } from '../organization/organization.tsx';
import Usage from '../organization/usage/usage.tsx';
import NewOrganization from './new-organization.tsx';
import { NoOrganization } from './no-organization.tsx';
import { OrganizationCard } from './organization-card.tsx';
import { OrganizationList } from './organization-list.tsx';

/** From more organizations on, a table with a row for each is easier to read than cards. */
const mostCards = 6;

/** The usage, the trend, the keys and the alerts of each organization: of a single one, its page Usage. */
export default function Organizations() {
  const query = useInfiniteQuery(organizationsQuery());
  const { data: user } = useQuery(userQuery);
  const { q, sort } = useSearch({ strict: false }) as Record<string, string | undefined>;
  const [creating, setCreating] = useState(false);
  const isAdmin = user?.is_admin ?? false;
  return (
    <Loaded query={query} placeholder={<SkeletonPage />}>
      {({ rows: organizations }) => {
        const [first] = organizations;
        if (first && organizations.length === 1) {
          return (
            <OfOrganization orgId={first.org_id}>
              <Usage />
            </OfOrganization>
          );
        }
        const isTable = organizations.length > mostCards || Boolean(q ?? sort);
        return (
          <Page
            title="Organizations"
            actions={
              isAdmin && (
                <Button onClick={() => setCreating(true)}>
                  <Plus aria-hidden />
                  New organization
                </Button>
              )
            }
          >
            {organizations.length === 0 &&
              (user && !isAdmin ? (
                <NoOrganization user={user} />
              ) : (
                <Empty title="There is no organization yet.">
                  Create one to give it members, API keys and a quota.
                </Empty>
              ))}
            {isTable ? (
              <OrganizationList />
            ) : (
              <ul className="grid grid-cols-1 gap-4">
                {organizations.map((organization) => (
                  <li key={organization.org_id}>
                    <OrganizationCard organization={organization} />
                  </li>
                ))}
              </ul>
            )}
            {creating && <NewOrganization onClose={() => setCreating(false)} />}
          </Page>
        );
      }}
    </Loaded>
  );
}
