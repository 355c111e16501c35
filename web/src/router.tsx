import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import type { Enrollment } from './api/account.ts';
import { openAlertsQuery } from './api/alerts.ts';
import { signInOptionsQuery, userQuery } from './api/auth.ts';
import { modelsQuery } from './api/embeddings.ts';
import { keysQuery, listedFirst } from './api/keys.ts';
import { organizationQuery } from './api/organizations.ts';
import { queryClient } from './api/query-client.ts';
import { deprecatedUsageQuery, periodOf, usageQuery } from './api/usage.ts';
import { base } from './lib/base.ts';
import { repairLink } from './lib/link-token.ts';
import { ownPath } from './lib/own-path.ts';
import { NotFound } from './pages/not-found.tsx';
import { Crash, Waiting } from './pages/states.tsx';
import { parseSearch, validSearch } from './search.ts';

/** Begins to load what a page of an organization shows. */
type Prefetch = (orgId: string, search: { period?: string; key?: string }) => void;

/**
 * Returns the route of a page that is loaded when someone goes there. `prefetch` is called if the dashboard is opened
 * there.
 */
function page<Parent extends AnyRoute, Path extends string>(
  parent: Parent,
  path: Path,
  load: Parameters<typeof lazyRouteComponent>[0],
  prefetch?: Prefetch,
) {
  return createRoute({
    getParentRoute: () => parent,
    path,
    validateSearch: validSearch(path),
    component: lazyRouteComponent(load),
    staticData: { prefetch },
  });
}

const root = createRootRoute({ component: Outlet });

const loginSearch = validSearch('login');
const login = createRoute({
  getParentRoute: () => root,
  path: 'login',
  validateSearch: loginSearch,
  // A signed-in user has nothing to do here. If the service can't say who they are, they can sign in.
  beforeLoad: async ({ search }) => {
    const user = await queryClient.query({ ...userQuery, retry: false }).catch(() => null);
    if (user) throw redirect({ href: ownPath(search.next), replace: true });
  },
  // The sign-in options are loaded before the page is shown. If that fails, it offers the password.
  loader: () => queryClient.prefetchQuery(signInOptionsQuery),
  component: lazyRouteComponent(() => import('./pages/login/login.tsx')),
});

/** All its pages require a signed-in user. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  // Until then, index.html's own frame stays.
  pendingMs: 1_000,
  beforeLoad: async ({ location }) => {
    const wasSignedIn = Boolean(queryClient.getQueryData(userQuery.queryKey));
    const user = await queryClient.query(userQuery);
    if (!user) {
      throw redirect({
        to: '/login',
        search: { next: location.href, ended: wasSignedIn ? 'yes' : undefined },
      });
    }
  },
  component: lazyRouteComponent(() => import('./frame/shell.tsx')),
});
const organization = page(
  signedIn,
  'organizations/$orgId',
  () => import('./pages/organization/organization.tsx'),
  (orgId) => {
    void queryClient.prefetchQuery(organizationQuery(orgId));
    void queryClient.prefetchQuery(openAlertsQuery(orgId));
  },
);
const organizationIndex = createRoute({
  getParentRoute: () => organization,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/organizations/$orgId/usage', params, replace: true });
  },
});

const routeTree = root.addChildren([
  login,
  page(root, 'login/forgot', () => import('./pages/login/forgot.tsx')),
  page(root, 'login/sign-up', () => import('./pages/login/sign-up.tsx')),
  page(root, 'reset-password', () => import('./pages/login/reset.tsx')),
  page(root, 'key', () => import('./pages/login/key-link.tsx')),
  page(root, 'invite', () => import('./pages/login/invitation.tsx')),
  page(root, 'confirm-address', () => import('./pages/login/confirm-address.tsx')),
  signedIn.addChildren([
    page(signedIn, 'organizations', () => import('./pages/organizations/organizations.tsx')),
    page(signedIn, 'account', () => import('./pages/account/account.tsx')),
    page(signedIn, 'users', () => import('./pages/users/users.tsx')),
    page(signedIn, 'installation-keys', () => import('./pages/organization/keys/keys.tsx')),
    page(signedIn, 'all-usage', () => import('./pages/organizations/all-usage.tsx')),
    page(signedIn, 'all-limits', () => import('./pages/organizations/all-limits.tsx')),
    page(signedIn, 'all-audit', () => import('./pages/organization/audit/audit.tsx')),
    page(signedIn, 'service', () => import('./pages/health/health.tsx')),
    // Within the frame, from which people find their way on.
    createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound }),
    organization.addChildren([
      organizationIndex,
      page(organization, 'start', () => import('./pages/organization/start/start.tsx')),
      page(
        organization,
        'usage',
        () => import('./pages/organization/usage/usage.tsx'),
        (orgId, { period, key }) => {
          void queryClient.prefetchQuery(usageQuery(orgId, periodOf(period), key));
          void queryClient.prefetchQuery(deprecatedUsageQuery(orgId));
          void queryClient.prefetchQuery(modelsQuery);
        },
      ),
      page(organization, 'requests', () => import('./pages/organization/requests/requests.tsx')),
      page(organization, 'batches', () => import('./pages/organization/batches/batches.tsx')),
      page(
        organization,
        'keys',
        () => import('./pages/organization/keys/keys.tsx'),
        (orgId) => void queryClient.prefetchInfiniteQuery(keysQuery(orgId, listedFirst)),
      ),
      page(organization, 'keys/$keyId', () => import('./pages/organization/keys/key-page.tsx')),
      page(organization, 'playground', () => import('./pages/organization/playground/playground.tsx')),
      page(organization, 'models', () => import('./pages/organization/models/models.tsx')),
      page(organization, 'alerts', () => import('./pages/organization/alerts/alerts.tsx')),
      page(organization, 'members', () => import('./pages/organization/members/members.tsx')),
      page(organization, 'audit', () => import('./pages/organization/audit/audit.tsx')),
      page(organization, 'limits', () => import('./pages/organizations/all-limits.tsx')),
      page(organization, 'plan', () => import('./pages/organization/plan/plan.tsx')),
      page(organization, 'settings', () => import('./pages/organization/settings/settings.tsx')),
    ]),
  ]),
]);

repairLink();

export const router = createRouter({
  routeTree,
  basepath: base,
  parseSearch,
  stringifySearch: stringifySearchWith(JSON.stringify),
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Crash,
  defaultPendingComponent: Waiting,
  // The frame is shown before the first page. main.tsx sets it for the pages after that.
  defaultPendingMs: 0,
  // A page that is ready does not wait until the sign of progress has been seen for long enough.
  defaultPendingMinMs: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    readonly prefetch?: Prefetch | undefined;
  }
  interface HistoryState {
    /** The address that was typed on the page before. */
    email?: string;
    /** Set up, but not confirmed yet. */
    enrollment?: Enrollment | undefined;
  }
}
