import { useSyncExternalStore } from 'react';

/** A value that belongs to no component, and a hook that returns it. */
export function sharedState<Value>(first: Value) {
  const listeners = new Set<() => void>();
  let current = first;
  const get = (): Value => current;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const set = (value: Value): void => {
    current = value;
    for (const listener of listeners) listener();
  };
  return { get, set, use: (): Value => useSyncExternalStore(subscribe, get) };
}
