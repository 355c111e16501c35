import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../../api/problem.ts';
import { usersQuery } from '../../api/users.ts';
import { useListSearch } from '../../lib/use-list-search.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { listQuery, SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { NotFound } from '../not-found.tsx';
import { CreateUser } from './create-user.tsx';
import { UserTable } from './user-table.tsx';

/** The users of the installation, for its administrators. */
export default function Users() {
  const list = useListSearch();
  const search = listQuery(list);
  const query = useInfiniteQuery({ ...usersQuery(search), placeholderData: keepPreviousData });
  const [creating, setCreating] = useState(false);
  if (isStatus(query.error, 403)) return <NotFound />;
  return (
    <Page title="Users">
      <Card
        title="All users"
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            Create a user
          </Button>
        }
      >
        <Loaded query={query} placeholder={<SkeletonRows />}>
          {(users) => (
            <div className="grid gap-4">
              {(query.hasNextPage || list.search.q || list.text) && (
                <SearchField state={list} label="Search users" />
              )}
              <LoadMore query={query} rows={users} name="users">
                <UserTable
                  users={users}
                  sort={search.sort ?? (search.q ? 'name' : 'created')}
                  onSort={list.sortBy}
                />
              </LoadMore>
            </div>
          )}
        </Loaded>
      </Card>
      {creating && <CreateUser onClose={() => setCreating(false)} />}
    </Page>
  );
}
