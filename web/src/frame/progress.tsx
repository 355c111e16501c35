import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const shownAfterMs = 100;

/** A line at the top of the window while the next page loads, unless it is there at once. */
export function Progress() {
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLoading) return setShown(false);
    const timer = setTimeout(() => setShown(true), shownAfterMs);
    return () => clearTimeout(timer);
  }, [isLoading]);
  if (!isShown) return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading the page"
      className="fixed top-0 left-0 z-40 h-0.5 animate-progress bg-accent"
    />
  );
}
