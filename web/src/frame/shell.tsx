import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { signOut, userQuery } from '../api/auth.ts';
import { queryClient } from '../api/query-client.ts';
import { useSave } from '../api/use-save.ts';
import { leaveFor } from '../lib/leave.ts';
import { StaleNotice } from '../pages/stale-notice.tsx';
import { ProblemToast } from '../ui/toast.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { organizationPages, servicePages } from './destinations.ts';
import { announce, followTabs, useSessionEnded } from './session.ts';
import { Sidebar } from './sidebar.tsx';
import { useCurrentOrganization } from './use-current-organization.ts';
import { useShortcuts } from './use-shortcuts.ts';

const NewOrganization = lazy(() => import('../pages/organizations/new-organization.tsx'));
const Palette = lazy(() => import('./palette.tsx'));
const SessionEnded = lazy(() => import('./session-ended.tsx'));
const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

type Above = 'everything' | 'organizations' | 'keyboard' | 'new organization' | null;

/** The common part of all pages behind the sign-in. */
export default function Shell() {
  const router = useRouter();
  const navigate = useNavigate();
  const { data: user } = useSuspenseQuery(userQuery);
  const organization = useCurrentOrganization();
  const orgId = organization?.org_id;
  const [above, setAbove] = useState<Above>(null);
  const hasEnded = useSessionEnded();
  useEffect(followTabs, []);
  const userId = user?.user_id;
  useEffect(() => {
    if (userId && !hasEnded) announce(userId);
  }, [userId, hasEnded]);
  const leave = useSave(signOut, [], async (elsewhere) => {
    announce(null);
    if (elsewhere) return leaveFor(elsewhere);
    queryClient.setQueryData(userQuery.queryKey, null);
    // Nobody is left who could answer a page's question.
    await router.navigate({ to: '/login', ignoreBlocker: true });
    queryClient.clear();
  });
  const isAdmin = user?.is_admin ?? false;
  const shortcuts = useMemo(() => {
    const search = () => setAbove('everything');
    const go =
      (to: string, search = {}) =>
      () =>
        void navigate({ to, search } as never);
    return {
      'mod+k': search,
      '/': search,
      '?': () => setAbove('keyboard'),
      ...(orgId && {
        c: go(`/organizations/${orgId}/keys`, { create: 'yes' }),
        ...lettersOf(organizationPages, (path) => go(`/organizations/${orgId}/${path}`)),
      }),
      ...(isAdmin && lettersOf(servicePages, (path) => go(path))),
    };
  }, [orgId, isAdmin, navigate]);
  useShortcuts(shortcuts);
  if (!user) return null;
  const frame = {
    user,
    organization,
    onSearch: () => setAbove('everything'),
    onSignOut: leave.mutate,
  };
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-40 focus:bg-surface focus:p-2"
      >
        Skip to the content
      </a>
      <Progress />
      <Sidebar {...frame} onSwitch={() => setAbove('organizations')} />
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 pb-16 outline-none md:pb-0">
        <Outlet />
      </main>
      <BottomBar organization={organization} onMore={frame.onSearch} />
      <StaleNotice />
      <ProblemToast error={leave.error} onClose={leave.reset} />
      <Suspense>
        {above === 'new organization' && <NewOrganization onClose={() => setAbove(null)} />}
        {hasEnded && <SessionEnded />}
        {above === 'keyboard' && <ShortcutList onClose={() => setAbove(null)} />}
        {(above === 'everything' || above === 'organizations') && (
          <Palette
            {...frame}
            of={above}
            onClose={() => setAbove(null)}
            onNewOrganization={() => setAbove('new organization')}
          />
        )}
      </Suspense>
    </div>
  );
}

function lettersOf(
  pages: typeof organizationPages,
  actionOf: (path: string) => () => void,
): Record<string, () => void> {
  return Object.fromEntries(
    pages.flatMap(({ path, letter }) => (letter ? [[`g ${letter}`, actionOf(path)]] : [])),
  );
}

const shownAfterMs = 100;

/** A line at the top of the window while the next page loads, unless it is there at once. */
function Progress() {
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLoading) return setShown(false);
    const timer = setTimeout(() => setShown(true), shownAfterMs);
    return () => clearTimeout(timer);
  }, [isLoading]);
  if (!isShown) return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading the page"
      className="fixed top-0 left-0 z-40 h-0.5 animate-progress is-data bg-accent"
    />
  );
}
