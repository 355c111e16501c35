import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { organizationQuery } from './api/organizations.ts';
import { onRefused, queryClient } from './api/query-client.ts';
import { checkSession } from './frame/session.ts';
import { router } from './router.tsx';
import { Toasts } from './ui/toast.tsx';
import './styles.css';

onRefused(() => void checkSession());

// What the first page needs is loaded beside the question who is signed in, and not after it.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  const route = router.routesById[routeId as keyof typeof router.routesById];
  if (route) void router.loadRouteChunk(route);
}
const orgId = /^\/organizations\/([\w-]+)/.exec(location.pathname)?.[1];
if (orgId) void queryClient.prefetchQuery(organizationQuery(orgId));

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
