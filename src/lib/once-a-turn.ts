/**
 * `read`, asked at most once in a turn of the event loop. What a turn handles had arrived before it began, so a request
 * sent after a change was made is always handled in a later turn, and sees the change.
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
