import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { allAlertsOf } from '../api/alerts.ts';
import { call } from '../api/client.ts';
import { allLimitsOf } from '../api/limits.ts';
import { keyOf } from '../api/organizations.ts';
import { isRefreshed } from '../api/pages.ts';
import { isStatus } from '../api/problem.ts';
import { queryClient } from '../api/query-client.ts';

/** How often a page that people see asks for new requests, if it shows something of each. */
const pollMs = 2_000;
/** How often other pages ask, for the sake of the quota and the alerts in their frame. */
const framePollMs = 10_000;
/** The queries of pages that show each request within seconds. */
const changing = ['keys', 'usage', 'requests'];
/** Longer than a page takes to load. */
const freshMs = 10_000;

type Hold = (areNew: boolean) => boolean;
const holds = new Set<Hold>();

/** Calls `isHeld` before the log is loaded again, which happens unless it returns true. */
export function useHold(isHeld: Hold): void {
  useEffect(() => {
    holds.add(isHeld);
    return () => void holds.delete(isHeld);
  }, [isHeld]);
}

interface Newest {
  readonly atMs: number | undefined;
  /** Whether the page may have been loaded before the request was in the log. */
  readonly isFresh: boolean;
}

/** Loads what the requests of an organization change, as far as a page shows it. */
function refresh(orgId: string, areNew: boolean): void {
  const isHeld = [...holds].map((hold) => hold(areNew)).includes(true);
  const keys = changing.filter((name) => !isHeld || name !== 'requests').map((name) => keyOf(orgId, name));
  for (const queryKey of [...keys, allLimitsOf(orgId), allAlertsOf(orgId)])
    void queryClient.invalidateQueries(
      { queryKey, predicate: ({ state }) => isRefreshed(state.data) },
      { cancelRefetch: false },
    );
  // `exact` leaves out the queries below the organization.
  void queryClient.invalidateQueries({ queryKey: keyOf(orgId), exact: true }, { cancelRefetch: false });
}

/** Reports whether the page shows something that a request changes, and loads it again. */
const isLive = (orgId: string): boolean =>
  changing.some((name) => {
    const queries = queryClient.getQueryCache().findAll({ queryKey: keyOf(orgId, name), type: 'active' });
    return queries.some(({ state }) => isRefreshed(state.data));
  });

/**
 * Keeps the pages of an organization up to date while people see them: asks for requests after the newest known one,
 * and loads the rest only when there are some.
 */
export function useLive(org_id: string): void {
  const queryKey = keyOf(org_id, 'newest request');
  useQuery({
    queryKey,
    queryFn: async (): Promise<Newest> => {
      const before = queryClient.getQueryData<Newest>(queryKey);
      const from = before?.atMs === undefined ? undefined : new Date(before.atMs + 1).toISOString();
      const path = '/v1/organizations/{org_id}/requests';
      const [entry] = (await call('get', path, { org_id, from, limit: 1 })).data;
      // Once more after the last one: replicas write their entries late and in any order.
      if (before && (entry || before.isFresh)) refresh(org_id, entry !== undefined);
      if (!entry) return { atMs: before?.atMs, isFresh: false };
      const atMs = Date.parse(entry.at);
      return { atMs, isFresh: before !== undefined || Date.now() - atMs < freshMs };
    },
    refetchInterval: ({ state }) => !isStatus(state.error, 404) && (isLive(org_id) ? pollMs : framePollMs),
    retry: false,
  });
}
