import { useEffect, useRef, useState } from 'react';
import type { ListSearch } from '../api/pages.ts';
import { useAddress } from './use-address.ts';
import { useLater } from './use-later.ts';

/**
 * Returns a text that someone types, and a function that changes it. The page's address has it as `name`, a moment
 * later and in place: one request is enough for a word, and a step back is not a letter back.
 */
export function useTypedSearch(name: string) {
  const [{ [name]: known = '' }, change] = useAddress();
  const [text, setText] = useState(known);
  const wanted = useLater(text.trim());
  const latest = useRef(known);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing searches
  useEffect(() => {
    if (wanted === latest.current) return;
    latest.current = wanted;
    change({ [name]: wanted });
  }, [wanted]);
  // Something else has changed it, such as a step back.
  useEffect(() => {
    if (known === latest.current) return;
    latest.current = known;
    setText(known);
  }, [known]);
  return [text, setText] as const;
}

/** The search and the order of a page's list, which the address has as `q` and `sort`. */
export function useListSearch() {
  // The page may have further filters in its address.
  const [{ q, sort }, change] = useAddress();
  const [text, type] = useTypedSearch('q');
  return {
    // With an order that the list has: see search.ts.
    search: { q, sort } as ListSearch,
    sort: sort ?? (q ? 'name' : 'created'),
    isSearched: Boolean(q || text),
    field: { value: text, onChange: type },
    sortBy: (order: string) => change({ sort: order }),
  };
}
