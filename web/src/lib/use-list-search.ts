import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const typingMs = 250;

interface Found {
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
}

/** The search and the order of a page's list, which the address has as `q` and `sort`. */
export function useListSearch() {
  const { q, sort } = useSearch({ strict: false }) as Found;
  const navigate = useNavigate();
  // The address gets the typed text a moment later: one request is enough for a word.
  const [text, setText] = useState(q ?? '');
  const change = (changed: Found): void => {
    // The page may have further filters in its address.
    const search = (before: object) =>
      Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value));
    void navigate({ to: '.', search: search as never, replace: true });
  };
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
