import type { GlobalProvider } from '@ladle/react';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import './stories.css';
import { Toasts } from '../src/ui/toast.tsx';

/** Around each story: the styles, the theme, a router for links, and a place for toasts. */
export const Provider: GlobalProvider = ({ children, globalState }) => {
  useEffect(() => {
    document.documentElement.dataset.theme = globalState.theme;
  }, [globalState.theme]);
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <main className="p-4">{children}</main> }),
    history: createMemoryHistory(),
  });
  return (
    <Toasts>
      <RouterProvider router={router as never} />
    </Toasts>
  );
};
