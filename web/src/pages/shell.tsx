import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { signOut, userQuery } from '../api/auth.ts';
import { queryClient } from '../api/query-client.ts';
import { Button } from '../ui/button.tsx';
import { ChevronDown } from '../ui/icons.tsx';
import { Mark } from '../ui/mark.tsx';
import { Menu, MenuItem, MenuLink } from '../ui/menu.tsx';
import { Problem } from '../ui/problem.tsx';
import { NewOrganization } from './organizations/new-organization.tsx';
import { StaleNotice } from './stale-notice.tsx';

/** The common part of all pages behind the sign-in. */
export default function Shell() {
  const router = useRouter();
  const { data: user } = useSuspenseQuery(userQuery);
  const [creating, setCreating] = useState(false);
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      queryClient.setQueryData(userQuery.queryKey, null);
      await router.navigate({ to: '/login' });
      queryClient.clear();
    },
  });
  return (
    <div className="min-h-dvh">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-30 focus:bg-surface focus:p-2"
      >
        Skip to the content
      </a>
      <header className="border-line border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-5xl items-center justify-between gap-2 px-4">
          <Link to="/organizations" className="flex rounded">
            <Mark />
          </Link>
          <Menu
            trigger={
              <Button look="quiet" className="max-w-48">
                <span className="truncate">{user?.name}</span>
                <ChevronDown />
              </Button>
            }
          >
            <MenuLink>
              <Link to="/account">Account</Link>
            </MenuLink>
            {user?.is_admin && (
              <>
                <MenuLink>
                  <Link to="/users">Users</Link>
                </MenuLink>
                <MenuItem onSelect={() => setCreating(true)}>New organization…</MenuItem>
              </>
            )}
            <MenuLink>
              <a href="/docs">API documentation</a>
            </MenuLink>
            <MenuItem onSelect={leave.mutate}>Sign out</MenuItem>
          </Menu>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto grid max-w-5xl grid-cols-1 gap-6 px-4 py-6 outline-none"
      >
        <Problem error={leave.error} />
        <Outlet />
      </main>
      <StaleNotice />
      {creating && <NewOrganization onClose={() => setCreating(false)} />}
    </div>
  );
}
