import type { ListSearch } from '../api/pages.ts';
import type { ListSearchState } from '../lib/use-list-search.ts';
import { TextField } from './field.tsx';

interface Props {
  state: ListSearchState;
  /** What a search compares, such as `name`. */
  searched: string;
}

/** Searches a list for rows that contain a text. */
export function SearchField({ state: { text, type }, searched }: Props) {
  return (
    <search className="grid grid-cols-1">
      <TextField
        label="Search"
        type="search"
        maxLength={254}
        placeholder={`Part of the ${searched}, or an id`}
        value={text}
        onChange={({ target: { value } }) => type(value)}
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
