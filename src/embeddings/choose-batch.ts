export interface BatchBounds {
  /** Limit for the longest text's tokens × the number of texts. */
  readonly maxTokens: number;
  readonly maxTexts: number;
}

/**
 * Chooses a batch from one text or more: the first text, whatever its length, and the texts nearest to it in length
 * that fit the bounds. A batch is padded to its longest text, so texts of equal length waste the least.
 */
export function chooseBatch<T>(
  waiting: readonly T[],
  tokenCountOf: (text: T) => number,
  bounds: BatchBounds,
): T[] {
  const [first] = waiting as [T];
  const firstTokens = tokenCountOf(first);
  const distance = (text: T): number => Math.abs(tokenCountOf(text) - firstTokens);
  const batch = [first];
  let longest = firstTokens;
  for (const text of waiting.slice(1).sort((a, b) => distance(a) - distance(b))) {
    if (batch.length >= bounds.maxTexts) break;
    const withText = Math.max(longest, tokenCountOf(text));
    if (withText * (batch.length + 1) > bounds.maxTokens) continue;
    batch.push(text);
    longest = withText;
  }
  return batch;
}
