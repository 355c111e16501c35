import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { signInOptionsQuery, userQuery } from './api/auth.ts';
import { queryClient } from './api/query-client.ts';
import { ownPath } from './lib/own-path.ts';
import { NotFound } from './pages/not-found.tsx';
import { Crash, Waiting } from './pages/states.tsx';

/** Returns those search parameters of a page that are text. */
function optional<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>) =>
    Object.fromEntries(
      names.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
    ) as { [N in Name]?: string | undefined };
}

const loginSearch = optional('next', 'error', 'ended');

const rootRoute = createRootRoute({ component: Outlet });

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
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
const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'login/forgot',
  component: lazyRouteComponent(() => import('./pages/login/forgot.tsx')),
});
const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'login/sign-up',
  component: lazyRouteComponent(() => import('./pages/login/sign-up.tsx')),
});
const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reset-password',
  component: lazyRouteComponent(() => import('./pages/login/reset.tsx')),
});
const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invite',
  component: lazyRouteComponent(() => import('./pages/login/invitation.tsx')),
});
const confirmAddressRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'confirm-address',
  component: lazyRouteComponent(() => import('./pages/login/confirm-address.tsx')),
});

/** All its pages require a signed-in user. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
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
const organizationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'organizations',
  validateSearch: optional('q', 'sort', 'standing'),
  component: lazyRouteComponent(() => import('./pages/organizations/organizations.tsx')),
});
const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'account',
  component: lazyRouteComponent(() => import('./pages/account/account.tsx')),
});
const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'users',
  validateSearch: optional('q', 'sort'),
  component: lazyRouteComponent(() => import('./pages/users/users.tsx')),
});
const healthRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'service',
  component: lazyRouteComponent(() => import('./pages/health/health.tsx')),
});
const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'organizations/$orgId',
  component: lazyRouteComponent(() => import('./pages/organization/organization.tsx')),
});

const organizationIndexRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/organizations/$orgId/usage', params, replace: true });
  },
});
const usageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'usage',
  validateSearch: optional('period', 'key', 'view', 'group', 'compare', 'from', 'to', 'tab'),
  component: lazyRouteComponent(() => import('./pages/organization/usage/usage.tsx')),
});
const startRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'start',
  component: lazyRouteComponent(() => import('./pages/organization/start/start.tsx')),
});
const requestsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'requests',
  validateSearch: optional('outcome', 'key', 'model', 'status', 'slow', 'from', 'to', 'request'),
  component: lazyRouteComponent(() => import('./pages/organization/requests/requests.tsx')),
});
const keysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'keys',
  validateSearch: optional('q', 'sort', 'status', 'create'),
  component: lazyRouteComponent(() => import('./pages/organization/keys/keys.tsx')),
});
const keyRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'keys/$keyId',
  component: lazyRouteComponent(() => import('./pages/organization/keys/key-page.tsx')),
});
const modelsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'models',
  component: lazyRouteComponent(() => import('./pages/organization/models/models.tsx')),
});
const planRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'plan',
  component: lazyRouteComponent(() => import('./pages/organization/plan/plan.tsx')),
});
const playgroundRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'playground',
  validateSearch: optional('sender', 'model', 'dimensions', 'type', 'tab'),
  component: lazyRouteComponent(() => import('./pages/organization/playground/playground.tsx')),
});
const alertsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'alerts',
  validateSearch: optional('tab'),
  component: lazyRouteComponent(() => import('./pages/organization/alerts/alerts.tsx')),
});
const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'members',
  validateSearch: optional('q', 'sort'),
  component: lazyRouteComponent(() => import('./pages/organization/members/members.tsx')),
});
const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./pages/organization/settings/settings.tsx')),
});

const routeTree = rootRoute.addChildren([
  loginRoute,
  forgotRoute,
  signUpRoute,
  resetRoute,
  invitationRoute,
  confirmAddressRoute,
  signedInRoute.addChildren([
    organizationsRoute,
    accountRoute,
    usersRoute,
    healthRoute,
    organizationRoute.addChildren([
      organizationIndexRoute,
      startRoute,
      usageRoute,
      requestsRoute,
      keysRoute,
      keyRoute,
      modelsRoute,
      planRoute,
      playgroundRoute,
      alertsRoute,
      membersRoute,
      settingsRoute,
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Crash,
  defaultPendingComponent: Waiting,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The address that was typed on the page before. */
    email?: string;
  }
}
