import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';

const retryMs = 10_000;

/** Shown from an earlier response, since the last attempts to refresh it have failed. */
const isStale = (query: Query): boolean =>
  query.isActive() &&
  query.state.data !== undefined &&
  (query.state.status === 'error' || query.state.fetchStatus === 'paused');

/** When the oldest data was loaded that the page can't refresh, in milliseconds; null: all is up to date. Tries again by itself. */
export function useStale(): { sinceMs: number | null; retry: () => void } {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const sinceMs = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => {
      const stale = cache.findAll({ predicate: isStale });
      return stale.length === 0 ? null : Math.min(...stale.map(({ state }) => state.dataUpdatedAt));
    },
  );
  const retry = useCallback(
    () => void client.refetchQueries({ predicate: isStale }, { cancelRefetch: false }),
    [client],
  );
  const isBroken = sinceMs !== null;
  useEffect(() => {
    if (!isBroken) return;
    const timer = setInterval(retry, retryMs);
    return () => clearInterval(timer);
  }, [isBroken, retry]);
  return { sinceMs, retry };
}
