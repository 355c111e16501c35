import { focusManager, type Query } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { allAlertsOf } from '../api/alerts.ts';
import { keyOf } from '../api/organizations.ts';
import { isRefreshed, pagesIn } from '../api/pages.ts';
import { queryClient } from '../api/query-client.ts';
import { serviceTime } from '../lib/service-time.ts';
import { useOrganization } from '../lib/use-organization.ts';

/** How often a page that people see asks for the newest request, or for the rows of the log while requests come. */
const pollMs = 2_250;
/** How often other figures are loaded at most while requests come. Other pages ask for the organization as often. */
const slowMs = 10_000;
/** Timers are not exact, and a response takes a while. */
const earlyMs = 500;
/** The queries that requests change. */
const changing = ['keys', 'usage', 'requests', 'limits'];

type Hold = (areNew: boolean) => boolean;
const holds = new Set<Hold>();

/** Calls `isHeld` before the log is loaded again, which happens unless it returns true. */
export function useHold(isHeld: Hold): void {
  useEffect(() => {
    holds.add(isHeld);
    return () => void holds.delete(isHeld);
  }, [isHeld]);
}

/** Reports whether someone points at a row, or is at one with the keyboard: rows that arrive would move it. */
export const isAtHand = (): boolean =>
  document.querySelector('table:is(:hover, :has(:focus-visible))') !== null;

const isOfLog = ({ queryKey }: Query): boolean => queryKey[2] === 'requests';

/** Loads a query again unless it was loaded less than `everyMs` ago. Each page of a list is a request. */
function load({ queryKey, state }: Query, everyMs: number): void {
  const leastMs = (state.error ? slowMs : everyMs) * pagesIn(state.data) - earlyMs;
  if (Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) < leastMs) return;
  void queryClient.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false });
}

/** Loads what a page shows and the requests until `newestMs` have changed, or asks whether there are newer ones. */
function keepUp(orgId: string, newestMs: number): void {
  // As for queries: not while nobody sees the page, or the session has ended.
  if (!focusManager.isFocused()) return;
  const cache = queryClient.getQueryCache();
  const shown = changing
    .flatMap((name) => cache.findAll({ queryKey: keyOf(orgId, name), type: 'active' }))
    .filter(({ state }) => isRefreshed(state.data));
  const areNew = shown.some((query) => isOfLog(query) && query.state.dataUpdatedAt < newestMs);
  const isHeld = [isAtHand, ...holds].map((hold) => hold(areNew)).includes(true);
  // Also a while after the newest one: replicas write their entries late and in any order.
  const outdated = shown.filter(
    (query) => query.state.dataUpdatedAt < newestMs + slowMs && !(isHeld && isOfLog(query)),
  );
  for (const query of outdated)
    load(query, isOfLog(query) && query.queryKey[3] !== 'histogram' ? pollMs : slowMs);
  const organization = cache.find({ queryKey: keyOf(orgId) });
  if (organization) load(organization, shown.length > 0 && outdated.length === 0 ? pollMs : slowMs);
}

/** Keeps the pages of an organization up to date while people see them. The organization says whether to load more. */
export function useLive(orgId: string): void {
  const { last_request_at, open_alerts, last_alert_at } = useOrganization();
  const alerts = `${open_alerts} ${last_alert_at}`;
  const seen = useRef({ last_request_at, alerts });
  useEffect(() => {
    const before = seen.current;
    seen.current = { last_request_at, alerts };
    if (before.alerts !== alerts) void queryClient.invalidateQueries({ queryKey: allAlertsOf(orgId) });
    // A page may have been loaded before a request that is seconds old was in the log.
    const atMs = Date.parse(last_request_at ?? '') + Date.now() - serviceTime();
    const newestMs = before.last_request_at === last_request_at ? atMs : Date.now();
    keepUp(orgId, newestMs);
    const timer = setInterval(() => keepUp(orgId, newestMs), pollMs);
    return () => clearInterval(timer);
  }, [orgId, last_request_at, alerts]);
}
