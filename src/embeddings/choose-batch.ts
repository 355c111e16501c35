export interface BatchBounds {
  /** Limit for the cost of the longest text × the number of texts, in tokens. */
  readonly maxTokens: number;
  readonly maxTexts: number;
}

/**
 * Chooses a batch from one text or more: the first text, whatever its length, and the texts nearest to it in length
 * that fit the bounds. A batch is padded to its longest text, so texts of equal length waste the least.
 */
export function chooseBatch<T>(waiting: readonly T[], costOf: (text: T) => number, bounds: BatchBounds): T[] {
  const [first] = waiting as [T];
  const firstCost = costOf(first);
  const distance = (text: T): number => Math.abs(costOf(text) - firstCost);
  const batch = [first];
  let longest = firstCost;
  for (const text of waiting.slice(1).sort((a, b) => distance(a) - distance(b))) {
    if (batch.length >= bounds.maxTexts) break;
    const withText = Math.max(longest, costOf(text));
    if (withText * (batch.length + 1) > bounds.maxTokens) continue;
    batch.push(text);
    longest = withText;
  }
  return batch;
}
