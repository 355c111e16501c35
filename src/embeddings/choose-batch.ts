export interface BatchBounds {
  /** Limit for the cost of all texts, in tokens. */
  readonly maxTokens: number;
  readonly maxTexts: number;
  /** Whether each text costs as much as the longest. */
  readonly isPadded: boolean;
}

/**
 * Chooses a batch from one text or more: the first text, whatever its length, and those after it that fit the bounds.
 * If the batch is padded, texts nearest to the first in length come before others, because they waste the least. They overtake
 * others, so the slowest response takes longer.
 */
export function chooseBatch<T>(waiting: readonly T[], costOf: (text: T) => number, bounds: BatchBounds): T[] {
  const [first] = waiting as [T];
  const firstCost = costOf(first);
  const distance = (text: T): number => Math.abs(costOf(text) - firstCost);
  const others = waiting.slice(1);
  if (bounds.isPadded) others.sort((a, b) => distance(a) - distance(b));
  const batch = [first];
  let [longest, sum] = [firstCost, firstCost];
  for (const text of others) {
    if (batch.length >= bounds.maxTexts) break;
    const cost = costOf(text);
    const withText = bounds.isPadded ? Math.max(longest, cost) * (batch.length + 1) : sum + cost;
    if (withText > bounds.maxTokens) continue;
    batch.push(text);
    longest = Math.max(longest, cost);
    sum += cost;
  }
  return batch;
}
