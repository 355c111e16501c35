import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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
  return (
    <Loaded query={query} placeholder={<SkeletonRows rows={rows} />}>
      {({ rows: shown, total }) => (
        <div>
          {children(shown)}
          {query.isFetchNextPageError && <Problem error={query.error} />}
          {query.hasNextPage && (
            <div className="flex flex-wrap items-center gap-3 pt-3">
              {!isEnough(shown) && (
                <Button
                  aria-label={`Load more ${name}`}
                  aria-busy={query.isFetchingNextPage}
                  // Not disabled, so that the button keeps the focus.
                  onClick={() => !query.isFetchingNextPage && query.fetchNextPage()}
                >
                  Load more
                </Button>
              )}
              <span role="status" className="text-muted">
                {total == null
                  ? `The first ${formatCount(shown.length)} ${name}`
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
