import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

/** The order and the search of a list. Without `sort`, the list has its own order. */
export interface ListSearch {
  readonly q?: string | undefined;
  readonly sort?: 'created' | '-created' | 'name' | '-name' | undefined;
}

interface PageBody<Row> {
  readonly data: Row[];
  readonly next: string | null;
  readonly total?: number | null;
}

/** Rows that are loaded at a time. */
const rowsPerPage = 50;
/** Others change the rows too, or use them. */
export const refreshMs = 30_000;
const mostRefreshedPages = 3;
/** Reports whether rows are loaded again by themselves: each time, all loaded pages are, one after the other. */
export const isRefreshed = (data: unknown): boolean => pagesIn(data) <= mostRefreshedPages;
/** Returns how many requests it takes to load something again. */
export const pagesIn = (data: unknown): number =>
  (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1;
/** Returns when something is loaded again that changes within `soonMs`. After an error, that is not so soon. */
export const refreshAfter = ({ data, error }: { data: unknown; error: unknown }, soonMs: number) =>
  isRefreshed(data) && Math.max(soonMs * pagesIn(data), error ? refreshMs : 0);
/** The most that the service returns at a time. */
export const mostRows = 100;

/** Returns the query of a list whose rows are loaded page by page. `load` requests one page. */
export function pagesOf<Body extends PageBody<unknown>>(
  queryKey: QueryKey,
  load: (page: { limit: number; after: string | undefined }) => Promise<Body>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => load({ limit: rowsPerPage, after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => refreshAfter(state, refreshMs),
    select: ({ pages }): { rows: Body['data']; total: number | null | undefined } => ({
      rows: pages.flatMap(({ data }) => data),
      total: pages[0]?.total,
    }),
  });
}
