import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { isStatus } from '../api/problem.ts';

const retryMs = 10_000;

/** Reports whether data could not be refreshed since an earlier response. Pages handle deleted data themselves. */
const isStale = (query: Query): boolean =>
  query.isActive() &&
  query.state.data !== undefined &&
  (query.state.fetchStatus === 'paused' ||
    (query.state.status === 'error' && !isStatus(query.state.error, 404)));

export interface Stale {
  /** When the oldest data that the page can't refresh was loaded, in milliseconds; null if everything is up to date. */
  readonly sinceMs: number | null;
  /** The error message of the service, or null if it did not respond. */
  readonly reason: string | null;
  readonly retry: () => void;
}

/** Reports whether the page can't be refreshed, and since when. Retries by itself. */
export function useStale(): Stale {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback(
    (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)),
    [cache],
  );
  const findStale = () => cache.findAll({ predicate: isStale }).map(({ state }) => state);
  const sinceMs = useSyncExternalStore(subscribe, () => {
    const stale = findStale();
    return stale.length === 0 ? null : Math.min(...stale.map(({ dataUpdatedAt }) => dataUpdatedAt));
  });
  const reason = useSyncExternalStore(subscribe, () => {
    const errors = findStale().map(({ error }) => error);
    return errors.find((error) => error && !isStatus(error, 0))?.message ?? null;
  });
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
  return { sinceMs, reason, retry };
}
