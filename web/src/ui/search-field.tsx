import type { ListSearch } from '../api/pages.ts';
import type { ListSearchState } from '../lib/use-list-search.ts';

interface Props {
  state: ListSearchState;
  /** What is searched, such as `Search keys`. */
  label: string;
}

/** Searches a list for rows that contain a text. */
export function SearchField({ state: { text, type }, label }: Props) {
  return (
    <search className="min-w-0 max-sm:w-full">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={254}
        value={text}
        onChange={({ target: { value } }) => type(value)}
        className="min-h-8 w-full rounded-md border border-edge bg-surface px-2.5 placeholder:text-muted pointer-coarse:min-h-10 sm:w-64"
      />
    </search>
  );
}

const sorts = ['created', '-created', 'name', '-name'] as const;

/** Returns the query of a list. Leaves out an order that the list does not have. */
export function listQuery({ search: { q, sort } }: ListSearchState): ListSearch {
  const known = sorts.find((one) => one === sort);
  return { ...(q && { q }), ...(known && { sort: known }) };
}
