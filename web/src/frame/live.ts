import type { QueryFilters } from '@tanstack/react-query';
import { useEffect } from 'react';
import { allAlertsOf } from '../api/alerts.ts';
import { keyOf } from '../api/organizations.ts';
import { queryClient } from '../api/query-client.ts';
import { sharedState } from '../lib/shared-state.ts';

/** How long the service may take to open the stream. A proxy that buffers it would hold it back for ever. */
const openWithinMs = 5_000;
/** How often everything is loaded again where there is no stream. */
const pollMs = 15_000;
/** The smallest time between two loads of the same data, so that a busy organization does not load it all the time. */
const restMs = 2_000;
/** How soon a load in progress is looked at again. */
const busyMs = 200;

type Hold = (areNew: boolean) => boolean;
const holds = new Set<Hold>();

/**
 * Calls `isHeld` before the log is loaded again, which happens unless it returns true: at most once in a second, after
 * requests, or when live events begin, which says nothing of new requests.
 */
export function useHold(isHeld: Hold): void {
  useEffect(() => {
    holds.add(isHeld);
    return () => void holds.delete(isHeld);
  }, [isHeld]);
}

const streaming = sharedState(false);
/** Reports whether changes arrive by themselves now. Otherwise they arrive every 15 seconds. */
export const useIsStreaming = streaming.use;

/** Returns a function that loads data again, at most once per `rest` milliseconds. */
function refreshing(filters: QueryFilters, rest = restMs): () => void {
  let isWaiting = false;
  let lastMs = 0;
  const load = () => {
    // What is being loaded may have been read before the change.
    if (queryClient.isFetching({ ...filters, type: 'active' }) > 0) {
      setTimeout(load, busyMs);
      return;
    }
    isWaiting = false;
    lastMs = performance.now();
    void queryClient.invalidateQueries(filters);
  };
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(load, Math.max(0, lastMs + rest - performance.now()));
  };
}

/** Keeps the pages of an organization up to date for as long as they are shown. */
export function useLive(orgId: string): void {
  useEffect(() => {
    const log = refreshing({ queryKey: keyOf(orgId, 'requests') }, 0);
    const requests = (areNew: boolean) => {
      if (![...holds].some((isHeld) => isHeld(areNew))) log();
    };
    const keys = refreshing({ queryKey: keyOf(orgId, 'keys') });
    const alerts = refreshing({ queryKey: allAlertsOf(orgId) });
    const usage = [
      keys,
      refreshing({ queryKey: keyOf(orgId, 'usage') }),
      refreshing({ queryKey: keyOf(orgId, 'limits') }),
      // Not what belongs to it, which the others load.
      refreshing({ queryKey: keyOf(orgId), exact: true }),
    ];
    const members = ['members', 'invitations'].map((name) => refreshing({ queryKey: keyOf(orgId, name) }));
    const everything = (areNew: boolean) => {
      requests(areNew);
      for (const refresh of [...usage, alerts, ...members]) refresh();
    };
    let polling: ReturnType<typeof setInterval> | undefined;
    const poll = () => {
      polling ??= setInterval(() => everything(true), pollMs);
      streaming.set(false);
    };
    const source = new EventSource(`/v1/events?org_id=${orgId}`);
    const late = setTimeout(() => {
      source.close();
      poll();
    }, openWithinMs);
    source.onopen = () => {
      clearTimeout(late);
      clearInterval(polling);
      polling = undefined;
      streaming.set(true);
      // What changed between the load of a page and this moment caused no event.
      everything(false);
    };
    source.onerror = () => {
      clearTimeout(late);
      // The browser tries again by itself, unless the stream was refused.
      poll();
    };
    source.addEventListener('usage', () => {
      requests(true);
      for (const refresh of usage) refresh();
    });
    source.addEventListener('key', keys);
    source.addEventListener('alert', alerts);
    source.addEventListener('member', () => {
      for (const refresh of members) refresh();
    });
    return () => {
      clearTimeout(late);
      clearInterval(polling);
      source.close();
      streaming.set(false);
    };
  }, [orgId]);
}
