import { useEffect } from 'react';

/** Sets the window's title, which the history shows too. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Embedgate`;
  }, [title]);
}
