import type { ReactNode } from 'react';
import { isStatus } from '../api/problem.ts';
import { capitalized } from '../lib/format.ts';
import { Dialog } from './dialog.tsx';
import { Loaded } from './loaded.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface Props<Row> {
  /** What the address names. Undefined: nothing. */
  id: string | undefined;
  /** What a row is, such as `request`. */
  what: string;
  /** The row, if it is found. */
  row: Row | null | undefined;
  /** What looks for it. */
  query: { readonly data: unknown; readonly error: Error | null; refetch(): unknown };
  onClose: () => void;
  children: (row: Row) => ReactNode;
}

/** The row that the address opens, at the side of the page, or why there is none: the address may be old. */
export function Opened<Row>({ id, what, row, query, onClose, children }: Props<Row>) {
  if (id === undefined) return null;
  if (row) return children(row);
  const missing = <p>There is no such {what}. It may have been deleted.</p>;
  return (
    <Dialog look="side" title={capitalized(what)} onClose={onClose}>
      {isStatus(query.error, 404) ? (
        missing
      ) : (
        <Loaded query={query} placeholder={<SkeletonRows rows={8} />}>
          {() => missing}
        </Loaded>
      )}
    </Dialog>
  );
}
