import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../../api/problem.ts';
import { usersQuery } from '../../api/users.ts';
import { useListSearch } from '../../lib/use-list-search.ts';
import { usePasswords } from '../../lib/use-passwords.ts';
import { Button } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { NotFound } from '../not-found.tsx';
import { CreateUser } from './create-user.tsx';
import { UserTable } from './user-table.tsx';

/** The users of the installation, for its administrators. */
export default function Users() {
  const list = useListSearch();
  const query = useInfiniteQuery({ ...usersQuery(list.search), placeholderData: keepPreviousData });
  const hasPasswords = usePasswords();
  const [creating, setCreating] = useState(false);
  if (isStatus(query.error, 403)) return <NotFound />;
  return (
    <Page
      title="Users"
      actions={
        hasPasswords && (
          <Button look="primary" onClick={() => setCreating(true)}>
            Create a user
          </Button>
        )
      }
    >
      <div className="grid grid-cols-1 gap-3">
        {(query.hasNextPage || list.isSearched) && <SearchField {...list.field} label="Search users" />}
        <LoadMore query={query} name="users" isSearchable>
          {(users) => <UserTable users={users} sort={list.sort} onSort={list.sortBy} />}
        </LoadMore>
      </div>
      {creating && <CreateUser onClose={() => setCreating(false)} />}
    </Page>
  );
}
