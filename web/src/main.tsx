import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { userQuery } from './api/auth.ts';
import { onRefused, queryClient } from './api/query-client.ts';
import { router } from './router.tsx';
import './styles.css';

// When the session has ended, leads to the sign-in and from there back to this page.
onRefused(async () => {
  await queryClient.invalidateQueries({ ...userQuery, refetchType: 'none' });
  await router.invalidate();
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
