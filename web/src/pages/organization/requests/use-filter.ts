import type { RequestFilter } from '../../../api/requests.ts';
import { useAddress } from '../../../lib/use-address.ts';
import { type Outcome, outcomeNames } from './outcome.tsx';

/** What the address of the log can say. */
export interface FilterSearch {
  readonly outcome?: string | undefined;
  readonly key?: string | undefined;
  readonly model?: string | undefined;
  readonly status?: string | undefined;
  /** The smallest latency, in milliseconds. */
  readonly slow?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly request?: string | undefined;
}

/** Returns what the page lists, as the address says, and a function that changes it. */
export function useFilter() {
  const [address, changeAddress] = useAddress();
  const search: FilterSearch = address;
  const change = (changed: FilterSearch): void => changeAddress({ ...changed });
  const clear = (): void =>
    changeAddress(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])));
  return { search, filter: filterOf(search), change, clear };
}

function filterOf({ outcome, key, model, status, slow, from, to, request }: FilterSearch): RequestFilter {
  return {
    ...(outcome && outcome in outcomeNames && { outcome: outcome as Outcome }),
    ...(key && { key_id: key }),
    ...(model && { model }),
    ...(/^[1-5]\d\d$/.test(status ?? '') && { status: Number(status) }),
    ...(Number(slow) > 0 && { min_latency_ms: Number(slow) }),
    ...(from && isMoment(from) && { from }),
    ...(to && isMoment(to) && { to }),
    ...(request && { request_id: request }),
  };
}

const isMoment = (text: string): boolean => Number.isFinite(Date.parse(text));
