import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onRefused, queryClient } from './api/query-client.ts';
import { checkSession } from './frame/session.ts';
import { router } from './router.tsx';
import { Toasts } from './ui/toast.tsx';
import './styles.css';

onRefused(() => void checkSession());

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
