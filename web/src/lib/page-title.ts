import { useEffect } from 'react';

/** Names the page in the window's title and the history. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Embedgate`;
  }, [title]);
}
