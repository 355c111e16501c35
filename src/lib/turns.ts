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

const waiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop of its own, so that parts of several long jobs never run in the same turn.
 */
export function turnOfItsOwn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
