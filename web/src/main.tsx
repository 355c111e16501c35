import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { mayBeSignedIn } from './api/auth.ts';
import { onRefused, queryClient } from './api/query-client.ts';
import { checkSession } from './frame/session.ts';
import { router } from './router.tsx';
import { Toasts } from './ui/toast.tsx';

onRefused(() => void checkSession());

// An upgrade has replaced the scripts that this page still needs. It begins again with the new ones, but not in a circle.
addEventListener('vite:preloadError', (event) => {
  if (performance.now() < 10_000) return;
  event.preventDefault();
  location.reload();
});

// What the first page needs is loaded beside the question who is signed in, and not after it.
for (const { routeId, params, search } of router.matchRoutes(router.latestLocation)) {
  const route = router.routesById[routeId as keyof typeof router.routesById];
  // The page itself shows that its code could not be loaded.
  if (route) router.loadRouteChunk(route)?.catch(() => {});
  const { orgId } = params as { orgId?: string };
  if (orgId && mayBeSignedIn()) route?.options.staticData?.prefetch?.(orgId, search);
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
