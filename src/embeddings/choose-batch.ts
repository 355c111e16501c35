export interface BatchBounds {
  /** Of longest text × count. */
  readonly maxTokens: number;
  readonly maxTexts: number;
}

/**
 * Of one text or more, the first, which goes whatever its length, with those nearest to it in length that keep within the
 * bounds: a batch is padded to its longest text, so texts of one length waste least.
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
