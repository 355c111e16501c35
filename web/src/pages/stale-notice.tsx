import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { isStatus } from '../api/problem.ts';
import { formatAgo } from '../lib/format.ts';
import { serviceTime } from '../lib/service-time.ts';
import { useNow } from '../lib/use-now.ts';
import { Toast } from '../ui/toast.tsx';

const retryMs = 10_000;

/**
 * Reports whether data could not be refreshed since an earlier response. Pages handle deleted data themselves, and a
 * dialog the end of the session.
 */
const isStale = (query: Query): boolean =>
  query.isActive() &&
  query.state.data !== undefined &&
  (query.state.fetchStatus === 'paused' ||
    (query.state.status === 'error' && ![401, 404].some((status) => isStatus(query.state.error, status))));

/** A notice that the page can't be refreshed, shown for as long as that lasts. It tries again by itself. */
export function StaleNotice() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback(
    (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)),
    [cache],
  );
  const findStale = () => cache.findAll({ predicate: isStale }).map(({ state }) => state);
  // When the oldest data was loaded. Infinite if everything is up to date.
  const sinceMs = useSyncExternalStore(subscribe, () =>
    Math.min(...findStale().map(({ dataUpdatedAt }) => dataUpdatedAt)),
  );
  // The error message of the service. Undefined if it did not respond.
  const reason = useSyncExternalStore(
    subscribe,
    () => findStale().find(({ error }) => error && !isStatus(error, 0))?.error?.message,
  );
  const retry = useCallback(
    () => void client.refetchQueries({ predicate: isStale }, { cancelRefetch: false }),
    [client],
  );
  const isBroken = Number.isFinite(sinceMs);
  useEffect(() => {
    if (!isBroken) return;
    const timer = setInterval(retry, retryMs);
    return () => clearInterval(timer);
  }, [isBroken, retry]);
  if (!isBroken) return null;
  return (
    <Toast look="warning" action="Try again" onClose={retry}>
      <p className="font-medium">
        {reason === undefined ? 'The service can’t be reached.' : `This page can’t be refreshed. ${reason}`}
      </p>
      <LastUpdate atMs={serviceTime(sinceMs)} />
    </Toast>
  );
}

function LastUpdate({ atMs }: { atMs: number }) {
  const nowMs = useNow(1_000);
  return (
    <p aria-live="off">
      Last updated {formatAgo(new Date(Math.min(atMs, nowMs)).toISOString(), nowMs)}. Reconnecting…
    </p>
  );
}
