import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

/** What the search of an address has, as text. */
export type AddressSearch = Readonly<Record<string, string | undefined>>;

/**
 * Returns the search of the page's address, and a function that changes some of it: what is undefined or empty is left
 * out, and the rest stays. `replace`: the history gets no entry to come back to.
 */
export function useAddress(): readonly [
  AddressSearch,
  (changed: AddressSearch, how?: { replace: boolean }) => void,
] {
  const search = useSearch({ strict: false }) as AddressSearch;
  const navigate = useNavigate();
  const change = (changed: AddressSearch, { replace } = { replace: true }): void => {
    const next = (before: object) =>
      Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value));
    void navigate({ to: '.', search: next as never, replace });
  };
  return [search, change];
}

/**
 * Returns what the address opens at the side of the page, and functions that open something and close it. What a click
 * has opened is one step back.
 */
export function useOpened(name = 'open') {
  const [{ [name]: opened }, change] = useAddress();
  const { history } = useRouter();
  const [wasOpenedHere, setOpenedHere] = useState(false);
  const open = (id: string): void => {
    setOpenedHere(true);
    change({ [name]: id }, { replace: false });
  };
  const close = (): void => {
    // Someone may press Escape twice.
    setOpenedHere(false);
    if (wasOpenedHere) history.back();
    else change({ [name]: undefined });
  };
  return [opened, open, close] as const;
}
