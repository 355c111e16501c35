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
export const isRefreshed = (data: unknown): boolean =>
  ((data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= mostRefreshedPages;
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
    refetchInterval: ({ state }) => (isRefreshed(state.data) ? refreshMs : false),
    select: ({ pages }): { rows: Body['data']; total: number | null | undefined } => ({
      rows: pages.flatMap(({ data }) => data),
      total: pages[0]?.total,
    }),
  });
}
