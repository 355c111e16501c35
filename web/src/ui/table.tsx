import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Select } from './select.tsx';

export interface Column {
  readonly name: string;
  /** Figures, aligned at the right so that they can be compared. */
  readonly numeric?: boolean;
  /** The name of the order by this column. */
  readonly order?: string;
  /** Left out in a window that is too narrow for all columns. */
  readonly isExtra?: boolean;
  /** Gets the room that the others leave, and is cut there. By default the first one. */
  readonly isFlexible?: boolean;
  /** Named by people, in as many letters as they like. */
  readonly isLongName?: boolean;
}

export interface Row {
  readonly key: string;
  /** One per column. The first identifies the row. */
  readonly cells: readonly ReactNode[];
  /** Opens the details. A click anywhere in the row does this; for the keyboard, a cell has a button. */
  readonly onOpen?: () => void;
  /** It has just arrived. */
  readonly isFresh?: boolean;
}

/** Returns a row. `cells`: one per column. */
export const row = (key: string, ...cells: ReactNode[]): Row => ({ key, cells });

/** The name of the column with the buttons, which need no visible header. */
export const actions = 'Actions';

interface Props {
  /** What the rows are, for people who cannot see it. */
  caption: string;
  columns: readonly (Column | string)[];
  rows: readonly Row[];
  /** The current order, with a minus sign if it is descending. */
  sort?: string | undefined;
  /** Undefined: the rows can't be sorted. */
  onSort?: ((sort: string) => void) | undefined;
}

/**
 * A table. In a narrow window each row is a block of its own, with the column's name above each value, so
 * that nothing is hidden beyond the edge.
 */
export function Table({ caption, columns, rows, sort, onSort }: Props) {
  // A column that has nothing, such as buttons of someone who may do nothing, is left out.
  const isEmpty = (place: number) => rows.length > 0 && rows.every(({ cells }) => !cells[place]);
  const heads = columns
    .map((column, place) => ({ ...(typeof column === 'string' ? { name: column } : column), place }))
    .filter(({ place }) => !isEmpty(place));
  const flexible = Math.max(
    0,
    heads.findIndex(({ isFlexible }) => isFlexible),
  );
  return (
    <section
      className="relative min-w-0 max-wide:overflow-x-auto print:overflow-visible"
      aria-label={`${caption}, table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the arrow keys
      tabIndex={0}
    >
      {onSort && (
        // A narrow window has no headers.
        <div className="sm:hidden">
          <Select aria-label="Sort by" options={ordersOf(heads)} value={sort ?? ''} onChange={onSort} />
        </div>
      )}
      <table className="block w-full border-collapse text-left sm:table">
        <caption className="sr-only">{caption}</caption>
        {/* Below the page's bar while the rows move. A table that scrolls sideways can't have that. */}
        <thead className="sr-only bg-page sm:not-sr-only sm:table-header-group wide:sticky wide:top-12 wide:z-1">
          <tr className="bg-sunken text-muted text-xs">
            {heads.map(({ name, numeric, order, isExtra, isLongName }) => (
              <th
                key={name}
                scope="col"
                aria-sort={order && onSort ? directionOf(order, sort) : undefined}
                title={name === actions ? undefined : name}
                dir="auto"
                className={`h-8 ${isLongName ? 'max-w-20 xl:max-w-32' : 'max-w-40'} truncate px-2 xl:px-3 font-medium first:rounded-l-md last:rounded-r-md ${numeric ? 'text-right' : ''} ${isExtra ? 'max-xl:hidden' : ''} ${onPaper(name)}`}
              >
                {order && onSort ? (
                  <SortButton name={name} order={order} sort={sort} onSort={onSort} />
                ) : name === actions ? (
                  <span className="sr-only">{name}</span>
                ) : (
                  name
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line sm:table-row-group">
          {rows.map(({ key, cells, onOpen, isFresh }) => (
            <tr
              key={key}
              onClick={({ target }) => !isControl(target) && onOpen?.()}
              className={`grid grid-cols-2 gap-x-4 gap-y-2 py-3 sm:table-row sm:hover:bg-sunken ${onOpen ? 'cursor-pointer' : ''} ${isFresh ? 'animate-flash' : ''}`}
            >
              {heads.map(({ name, numeric, isExtra, place }, column) => (
                <td
                  key={name}
                  className={`min-w-0 empty:max-sm:hidden first:col-span-2 sm:h-10 sm:px-2 xl:px-3 sm:py-1 sm:whitespace-nowrap ${column === flexible ? 'sm:w-full sm:min-w-40 sm:max-w-0' : ''} ${numeric ? 'tabular-nums sm:text-right sm:*:justify-end' : ''} ${isExtra ? 'max-xl:hidden' : ''} ${name === actions ? 'max-sm:col-span-2 sm:text-right' : ''} ${onPaper(name)}`}
                >
                  {column > 0 && name !== actions && cells[place] && (
                    <span aria-hidden className="block wrap-anywhere text-muted text-xs sm:hidden">
                      {name}
                    </span>
                  )}
                  {cells[place]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** On paper, there is nothing to click, and less room. */
const onPaper = (name: string): string => (name === actions ? 'print:hidden' : 'print:px-1.5');

/** Reports whether a click was for something in a row that has an effect of its own. */
const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, [role=menu]') !== null;

/** Returns the orders of a table by the values that the address has. */
const ordersOf = (heads: readonly Column[]) =>
  Object.fromEntries(
    heads.flatMap(({ name, order }) =>
      order
        ? [
            [order, `${name} ${marks.ascending}`],
            [`-${order}`, `${name} ${marks.descending}`],
          ]
        : [],
    ),
  );

type Direction = 'ascending' | 'descending' | 'none';
const marks: Readonly<Record<Direction, string>> = { ascending: '↑', descending: '↓', none: '' };

function directionOf(order: string, sort: string | undefined): Direction {
  if (sort === order) return 'ascending';
  return sort === `-${order}` ? 'descending' : 'none';
}

interface SortProps {
  name: string;
  order: string;
  sort: string | undefined;
  onSort: (sort: string) => void;
}

/** A header that sorts the rows, and reverses their order. A narrow window has no visible headers. */
function SortButton({ name, order, sort, onSort }: SortProps) {
  return (
    <>
      <span className="sm:hidden print:inline">{name}</span>
      <button
        type="button"
        className="hidden font-medium hover:text-ink sm:inline"
        onClick={() => onSort(sort === order ? `-${order}` : order)}
      >
        {name}
        <span aria-hidden className="inline-block w-4 pl-1">
          {marks[directionOf(order, sort)]}
        </span>
      </button>
    </>
  );
}

/** The name of a row, as a link if it has a page, with details below it. */
export function RowName({ name, to, more }: { name: string; to?: string; more?: ReactNode }) {
  return (
    <>
      <span
        className="block min-w-0 font-medium max-sm:wrap-anywhere sm:truncate [&>a:hover]:underline"
        title={name}
        dir="auto"
      >
        {to ? <Link to={to}>{name}</Link> : name}
      </span>
      {more && <span className="block truncate text-muted">{more}</span>}
    </>
  );
}
