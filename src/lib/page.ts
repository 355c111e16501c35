/** A list's rows from one place on, at most `limit` of them. */
export interface Page<T> {
  readonly data: readonly T[];
  /** The cursor to continue after. Null: there are no more rows. */
  readonly next: string | null;
  /** On the first page, the number of rows on all pages, counted up to `maxCounted`. Null: it was not counted. */
  readonly total: number | null;
}

export type SortValue = string | number;

/** A page that a caller asked for, as a `PagedList` has checked it. */
export interface PageRequest {
  readonly limit: number;
  /** The name of the order, without the minus sign. */
  readonly order: string;
  readonly isDescending: boolean;
  /** A part of the values to list, in lower case. Null: all values. */
  readonly search: string | null;
  /** The only row to list. */
  readonly id: string | null;
  /** The last row that the caller has: its values in this order. Null: begin with the first row. */
  readonly after: readonly SortValue[] | null;
  /** Identifies the list, its order and its search, in the next page's cursor. */
  readonly scope: string;
}

/** A request for a page in the caller's words. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
}

export const defaultPageLimit = 20;
export const maxPageLimit = 100;
/** How far the rows of a list are counted, so that a page of a long list costs what a page of a short one does. */
export const maxCounted = 10_000;

/** Reads a list a page at a time, of `limit` rows if they can be large. */
export async function* pagesOf<T>(
  list: (query: PageQuery) => Promise<Page<T>>,
  query: Pick<PageQuery, 'sort' | 'q' | 'limit'> = {},
): AsyncGenerator<readonly T[], void> {
  let after: string | undefined;
  do {
    const { data, next } = await list({ limit: maxPageLimit, ...query, after });
    yield data;
    after = next ?? undefined;
  } while (after !== undefined);
}

/** Returns all rows of a list, which it reads a page at a time. */
export async function allRows<T>(...list: Parameters<typeof pagesOf<T>>): Promise<T[]> {
  return (await Array.fromAsync(pagesOf(...list))).flat();
}

/** Returns text as the lists sort it: only A to Z are changed, which both databases can do alike. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
