import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { userQuery } from '../../api/auth.ts';
import { organizationsQuery } from '../../api/organizations.ts';
import { useListSearch } from '../../lib/use-list-search.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { SelectField } from '../../ui/field.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { listQuery, SearchField } from '../../ui/search-field.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { NewOrganization } from './new-organization.tsx';
import { NoOrganization } from './no-organization.tsx';
import { OrganizationCard } from './organization-card.tsx';

const orders = {
  created: 'Oldest first',
  '-created': 'Newest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
};

/** The usage of each organization, its forecast, and what needs attention. */
export default function Organizations() {
  const list = useListSearch();
  const search = listQuery(list);
  const query = useInfiniteQuery({
    ...organizationsQuery(search),
    placeholderData: keepPreviousData,
  });
  const isSearched = Boolean(list.text || search.q || search.sort);
  const { data: user } = useQuery(userQuery);
  const nowMs = useNow(60_000);
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Organizations"
      actions={user?.is_admin && <Button onClick={() => setCreating(true)}>New organization</Button>}
    >
      <Loaded query={query} placeholder={<SkeletonBlock height={20} />}>
        {(organizations) =>
          organizations.length === 0 && !isSearched ? (
            user && !user.is_admin ? (
              <NoOrganization user={user} />
            ) : (
              <Empty title="There is no organization yet.">
                Create one to give it members, API keys and a quota.
              </Empty>
            )
          ) : (
            <>
              {(query.hasNextPage || isSearched) && (
                <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-[1fr_auto]">
                  <SearchField state={list} searched="name" />
                  <SelectField
                    label="Sort by"
                    options={orders}
                    value={search.sort ?? (search.q ? 'name' : 'created')}
                    onChange={({ target: { value } }) => list.sortBy(value)}
                  />
                </div>
              )}
              {organizations.length === 0 && (
                <p className="text-muted">No organization matches the search.</p>
              )}
              <LoadMore query={query} rows={organizations} name="organizations">
                <ul className="grid grid-cols-1 gap-4">
                  {organizations.map((organization) => (
                    <li key={organization.org_id}>
                      <OrganizationCard organization={organization} nowMs={nowMs} />
                    </li>
                  ))}
                </ul>
              </LoadMore>
            </>
          )
        }
      </Loaded>
      {creating && <NewOrganization onClose={() => setCreating(false)} />}
    </Page>
  );
}
