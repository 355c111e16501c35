import { useEffect, useState } from 'react';
import { useAddress } from './use-address.ts';

const typingMs = 250;

/** The search and the order of a page's list, which the address has as `q` and `sort`. */
export function useListSearch() {
  // The page may have further filters in its address.
  const [{ q, sort }, change] = useAddress();
  // The address gets the typed text a moment later: one request is enough for a word.
  const [text, setText] = useState(q ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the timer
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === (q ?? '')) return;
    const timer = setTimeout(() => change({ q: wanted }), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return {
    search: { q, sort },
    text,
    type: setText,
    /** Searches at once. */
    find(wanted: string) {
      setText(wanted);
      change({ q: wanted });
    },
    sortBy: (order: string | undefined) => change({ sort: order }),
  };
}

export type ListSearchState = ReturnType<typeof useListSearch>;
