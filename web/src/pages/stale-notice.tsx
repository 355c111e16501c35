import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { isFinal, isStatus } from '../api/problem.ts';
import { formatAgo } from '../lib/format.ts';
import { serviceTime } from '../lib/service-time.ts';
import { useNow } from '../lib/use-now.ts';
import { useShownErrors } from '../ui/loaded.tsx';
import { Toast } from '../ui/toast.tsx';

const retryMs = 10_000;
/** After the service has asked for fewer requests. */
const retryLaterMs = 30_000;

/**
 * Reports whether something could not be loaded, or not refreshed since. Pages handle deleted data and lost rights
 * themselves, and a dialog the end of the session.
 */
const isBroken = (query: Query): boolean =>
  query.isActive() &&
  ((query.state.fetchStatus === 'paused' && query.state.data !== undefined) ||
    (query.state.status === 'error' &&
      ![401, 404].some((status) => isStatus(query.state.error, status)) &&
      !(isStatus(query.state.error, 403) && query.state.data !== undefined)));

const isStale = (query: Query): boolean => query.state.data !== undefined && isBroken(query);

const mayHelp = ({ state: { error, errorUpdatedAt } }: Query): boolean =>
  !isFinal(error) && !(isStatus(error, 429) && Date.now() - errorUpdatedAt < retryLaterMs);

/**
 * A notice that the page can't be refreshed, or lacks something in whose place there is no error, shown for as long as
 * that lasts. What can't be refreshed is tried again by itself.
 */
export function StaleNotice() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const shown = useShownErrors();
  const subscribe = useCallback(
    (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)),
    [cache],
  );
  const oldestOf = (queries: readonly Query[]) =>
    Math.min(...queries.map(({ state }) => state.dataUpdatedAt));
  // When the oldest data was loaded. Infinite if everything is up to date.
  const sinceMs = useSyncExternalStore(subscribe, () => oldestOf(cache.findAll({ predicate: isStale })));
  const findMissing = () =>
    cache
      .findAll({ predicate: isBroken })
      .filter(({ state }) => state.data === undefined && !shown.includes(state.error!));
  const isMissing = useSyncExternalStore(subscribe, () => findMissing().length > 0);
  const isBehind = Number.isFinite(sinceMs);
  // The error message of the service. Undefined if it did not respond.
  const reason = useSyncExternalStore(
    subscribe,
    () =>
      (isBehind ? cache.findAll({ predicate: isStale }) : findMissing())
        .map(({ state }) => state.error)
        .find((error) => error && !isStatus(error, 0))?.message,
  );
  const retry = useCallback(
    (predicate: (query: Query) => boolean) =>
      void client.refetchQueries({ predicate }, { cancelRefetch: false }),
    [client],
  );
  useEffect(() => {
    if (!isBehind) return;
    const tryAgain = () => {
      for (const query of cache.findAll({ predicate: (query) => isStale(query) && mayHelp(query) }))
        query.fetch({ ...query.options, retry: false }, { cancelRefetch: false }).catch(() => {});
    };
    const timer = setInterval(tryAgain, retryMs);
    return () => clearInterval(timer);
  }, [isBehind, cache]);
  if (!isBehind && !isMissing) return null;
  const what = isBehind ? 'This page can’t be refreshed.' : 'Part of this page could not be loaded.';
  return (
    <Toast look="warning" action="Try again" onClose={() => retry(isBroken)}>
      <p className="font-medium">
        {reason !== undefined ? `${what} ${reason}` : isBehind ? 'The service can’t be reached.' : what}
      </p>
      {isBehind && <LastUpdate atMs={serviceTime(sinceMs)} />}
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
