const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop that no other caller gets, so that the parts of long work never add up to a long
 * turn.
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
