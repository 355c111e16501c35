/**
 * Returns a function that calls `read` at most once per turn of the event loop. A turn handles only what arrived before
 * it began. A request sent after a change is therefore handled in a later turn and sees the change.
 */
export function onceATurn<T>(read: () => T): () => T {
  let known: { value: T } | undefined;
  const forget = (): void => {
    known = undefined;
  };
  return () => {
    if (!known) {
      known = { value: read() };
      setImmediate(forget);
    }
    return known.value;
  };
}
