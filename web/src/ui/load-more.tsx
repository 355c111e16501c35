import type { ReactNode } from 'react';
import { formatCount } from '../lib/format.ts';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

interface Props<Row> {
  query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: Error | null;
    fetchNextPage(): unknown;
  };
  rows: readonly Row[];
  /** Their name in the plural, such as `keys`. */
  name: string;
  /** How many there are in all, if that is known. */
  total?: number;
  children: ReactNode;
}

/** Rows of a list, with a button that loads the next ones if there are more. */
export function LoadMore<Row>({ query, rows, name, total, children }: Props<Row>) {
  return (
    <>
      {children}
      {query.isFetchNextPageError && <Problem error={query.error} />}
      {query.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 pt-3">
          <Button
            aria-label={`Load more ${name}`}
            aria-busy={query.isFetchingNextPage}
            // Not disabled, so that the button keeps the focus.
            onClick={() => !query.isFetchingNextPage && query.fetchNextPage()}
          >
            Load more
          </Button>
          <span role="status" className="text-muted">
            {total === undefined
              ? `The first ${formatCount(rows.length)} ${name}`
              : `${formatCount(rows.length)} of ${formatCount(total)} ${name}`}
          </span>
        </div>
      )}
    </>
  );
}
