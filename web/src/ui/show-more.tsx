import { type ReactNode, useState } from 'react';
import { formatCount } from '../lib/format.ts';
import { Button } from './button.tsx';

interface Props<Item> {
  items: readonly Item[];
  /** Their name in the plural, such as `keys`. */
  name: string;
  children: (shown: readonly Item[]) => ReactNode;
}

/** How many are shown at first. */
const first = 50;

/** Shows the first of many. Thousands of rows at once would make the page slow, and nobody reads them. */
export function ShowMore<Item>({ items, name, children }: Props<Item>) {
  const [shown, setShown] = useState(first);
  const rest = items.length - shown;
  return (
    <>
      {children(items.slice(0, shown))}
      {rest > 0 && (
        <div className="flex flex-wrap items-center gap-3 pt-3">
          <Button onClick={() => setShown(shown + 4 * first)}>Show more</Button>
          <span className="text-muted">
            {formatCount(shown)} of {formatCount(items.length)} {name}
          </span>
        </div>
      )}
    </>
  );
}
