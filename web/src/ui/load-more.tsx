import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatCount, formatTotal } from '../lib/format.ts';
import { Button } from './button.tsx';
import { Loaded } from './loaded.tsx';
import { Problem } from './problem.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface Listed<Row> {
  readonly rows: readonly Row[];
  /** How many there are in all, if that is known. */
  readonly total?: number | null | undefined;
}

interface Props<Row> {
  query: Omit<UseInfiniteQueryResult, 'data'> & { readonly data: Listed<Row> | undefined };
  /** The name of the rows in the plural, such as `keys`. */
  name: string;
  /** How many rows the placeholder has. */
  rows?: number;
  /** Whether the page can find rows that are not loaded. It then loads no more than are quickly drawn. */
  isSearchable?: boolean;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A *Load more* beyond it would take twice as long as the first one. */
const mostSearchable = 500;

/** The rows of a list, or its progress, with a button that loads the next ones if there are more. */
export function LoadMore<Row>({ query, name, rows = 3, isSearchable = false, children }: Props<Row>) {
  const isEnough = (shown: readonly Row[]) => isSearchable && shown.length >= mostSearchable;
  const count = useRef<HTMLSpanElement>(null);
  const wasPressed = useRef(false);
  const [hasLoadedMore, setHasLoadedMore] = useState(false);
  const length = query.data?.rows.length;
  // The last rows take the button away. The focus then goes to the count beside it, not to the top of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows have come, and the button may be gone.
  useEffect(() => {
    if (wasPressed.current && document.activeElement === document.body) count.current?.focus();
    wasPressed.current = false;
  }, [length]);
  const loadMore = () => {
    wasPressed.current = true;
    setHasLoadedMore(true);
    void query.fetchNextPage();
  };
  return (
    <Loaded query={query} placeholder={<SkeletonRows rows={rows} />}>
      {({ rows: shown, total }) => (
        <div>
          {children(shown)}
          {query.isFetchNextPageError && <Problem error={query.error} />}
          {(query.hasNextPage || hasLoadedMore) && (
            <div className="flex flex-wrap items-center gap-3 pt-3">
              {query.hasNextPage && !isEnough(shown) && (
                <Button
                  aria-label={`Load more ${name}`}
                  aria-busy={query.isFetchingNextPage}
                  // Not disabled, so that the button keeps the focus.
                  onClick={() => !query.isFetchingNextPage && loadMore()}
                >
                  Load more
                </Button>
              )}
              <span ref={count} role="status" tabIndex={-1} className="text-muted">
                {total == null
                  ? `${query.hasNextPage ? 'The first' : 'All'} ${formatCount(shown.length)} ${name}`
                  : `${formatCount(shown.length)} of ${formatTotal(total)} ${name}`}
                {isEnough(shown) && '. Search for more of a name to find others.'}
              </span>
            </div>
          )}
        </div>
      )}
    </Loaded>
  );
}
