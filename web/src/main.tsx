import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { openAlertsQuery } from './api/alerts.ts';
import { mayBeSignedIn } from './api/auth.ts';
import { modelsQuery } from './api/embeddings.ts';
import { keysQuery, listedFirst } from './api/keys.ts';
import { organizationQuery } from './api/organizations.ts';
import { onRefused, queryClient } from './api/query-client.ts';
import { deprecatedUsageQuery, periodOf, usageQuery } from './api/usage.ts';
import { checkSession } from './frame/session.ts';
import { base } from './lib/base.ts';
import { router } from './router.tsx';
import { Toasts } from './ui/toast.tsx';

onRefused(() => void checkSession());

// What the first page needs is loaded beside the question who is signed in, and not after it.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  const route = router.routesById[routeId as keyof typeof router.routesById];
  // The page itself shows that its code could not be loaded.
  if (route) router.loadRouteChunk(route)?.catch(() => {});
}
const [, orgId, pageName] =
  (mayBeSignedIn() && /^\/organizations\/([\w-]+)(?:\/(\w+)$)?/.exec(location.pathname.slice(base.length))) ||
  [];
if (orgId) {
  void queryClient.prefetchQuery(organizationQuery(orgId));
  void queryClient.prefetchQuery(openAlertsQuery(orgId));
}
if (orgId && pageName === 'keys') void queryClient.prefetchInfiniteQuery(keysQuery(orgId, listedFirst));
if (orgId && pageName === 'usage') {
  const search = new URLSearchParams(location.search);
  const period = periodOf(search.get('period') ?? undefined);
  void queryClient.prefetchQuery(usageQuery(orgId, period, search.get('key') ?? undefined));
  void queryClient.prefetchQuery(deprecatedUsageQuery(orgId));
  void queryClient.prefetchQuery(modelsQuery);
}

// A page stays while the next one loads, unless that takes long.
router.subscribe('onResolved', () => {
  router.options.defaultPendingMs = 1_000;
});

// For styles.css.
const { documentElement } = document;
documentElement.style.setProperty('--scrollbar', `${innerWidth - documentElement.clientWidth}px`);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Toasts>
        <RouterProvider router={router} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
);
