import type { ListSearch, Sort } from '../api/pages.ts';
import type { ListSearchState } from '../lib/use-list-search.ts';
import { SelectField, TextField } from './field.tsx';

interface Props {
  state: ListSearchState;
  /** The orders whose texts can be searched, with their labels. The first one is the default. */
  columns: Readonly<Record<string, string>>;
}

/** Searches a list for rows that begin with a text. */
export function SearchField({ state, columns }: Props) {
  const { search, text, type, sortBy } = state;
  const [[first, label] = ['', '']] = Object.entries(columns);
  const sorted = search.sort?.replace('-', '') ?? '';
  const chosen = sorted in columns ? sorted : first;
  const isChoice = Object.keys(columns).length > 1;
  return (
    <search className={`grid grid-cols-1 items-start gap-4 ${isChoice ? 'sm:grid-cols-[1fr_auto]' : ''}`}>
      <TextField
        label="Search"
        type="search"
        maxLength={254}
        placeholder={`Beginning of the ${(isChoice ? columns[chosen]! : label).toLowerCase()}, or an id`}
        value={text}
        onChange={({ target: { value } }) => type(value)}
      />
      {isChoice && (
        <SelectField
          label="Search in"
          options={columns}
          value={chosen}
          onChange={({ target: { value } }) => sortBy(value)}
        />
      )}
    </search>
  );
}

/**
 * Returns the query of a list that has these orders. A search is sorted by what it searches, whatever the order was
 * before.
 */
export function listQuery<Order extends string>(
  { search: { q, sort } }: ListSearchState,
  orders: readonly Order[],
  searched: Props['columns'],
): ListSearch<Order> {
  const order = orders.find((one) => one === sort?.replace('-', ''));
  const isPossible = order !== undefined && (!q || order in searched);
  return { ...(q && { q }), ...(isPossible && { sort: sort as Sort<Order> }) };
}
