export interface BatchBounds {
  readonly maxTokens: number;
  readonly maxTexts: number;
  /** Whether each text costs as much as the longest. */
  readonly isPadded: boolean;
}

/** Returns the first text, whatever its cost, and those after it that fit: if they are padded, the nearest in cost first. */
export function chooseBatch<T>(waiting: readonly T[], costOf: (text: T) => number, bounds: BatchBounds): T[] {
  const [first, ...others] = waiting as [T, ...T[]];
  let tokens = costOf(first);
  const distance = (text: T): number => Math.abs(costOf(text) - costOf(first));
  if (bounds.isPadded) others.sort((a, b) => distance(a) - distance(b));
  const batch = [first];
  for (const text of others) {
    const longest = Math.max(tokens / batch.length, costOf(text));
    const withText = bounds.isPadded ? longest * (batch.length + 1) : tokens + costOf(text);
    if (withText > bounds.maxTokens || batch.length >= bounds.maxTexts) continue;
    batch.push(text);
    tokens = withText;
  }
  return batch;
}
