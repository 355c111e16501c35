import type { TokenBatch } from '../../encoder-native/src/index.ts';
import type { TokenizedText } from './tokenized-text.ts';

/** Joins texts into a batch for the inference thread. */
export function batchOf(batch: readonly TokenizedText[]): TokenBatch & { ids: Int32Array<ArrayBuffer> } {
  const tokenCounts = batch.map((text) => text.tokenCount);
  const length = tokenCounts.reduce((sum, count) => sum + count, 0);
  const ids = new Int32Array(length);
  const typeIds = batch[0]?.typeIds && new Int32Array(length);
  let next = 0;
  for (const text of batch) {
    ids.set(text.ids, next);
    if (text.typeIds) typeIds?.set(text.typeIds, next);
    next += text.tokenCount;
  }
  return { ids, typeIds, tokenCounts };
}

/** Returns the number of columns of a batch: at least 1, because a graph needs a column even if no text has a token. */
export const columnsOf = ({ tokenCounts }: TokenBatch): number =>
  tokenCounts.reduce((longest, count) => Math.max(longest, count), 1);

/** Adds a padding token to each text without tokens. Returns the batch itself if it has no such text. */
export function withPadding(batch: TokenBatch, paddingId: number): TokenBatch {
  const { ids, typeIds, tokenCounts } = batch;
  if (!tokenCounts.includes(0)) return batch;
  const padded = (numbers: Int32Array, padding: number): Int32Array => {
    let end = 0;
    return Int32Array.from(
      tokenCounts.flatMap((count) => {
        end += count;
        return count === 0 ? padding : [...numbers.subarray(end - count, end)];
      }),
    );
  };
  return {
    ids: padded(ids, paddingId),
    typeIds: typeIds && padded(typeIds, 0),
    tokenCounts: tokenCounts.map((count) => Math.max(count, 1)),
  };
}
