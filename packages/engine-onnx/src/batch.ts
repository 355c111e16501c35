import type { TokenizedText } from './tokenized-text.ts';

/** The tokens of all texts in one array: the first `tokenCounts[0]` of `ids` belong to the first text, and so on. */
export interface TensorBatch {
  readonly ids: Int32Array;
  /** The type of each token of `ids`. Undefined: 0. */
  readonly typeIds?: Int32Array | undefined;
  readonly tokenCounts: readonly number[];
}

/** Joins texts into a batch for the inference thread. */
export function join(batch: readonly TokenizedText[]): TensorBatch & { ids: Int32Array<ArrayBuffer> } {
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
export const columnsOf = ({ tokenCounts }: TensorBatch): number =>
  tokenCounts.reduce((longest, count) => Math.max(longest, count), 1);

/** Adds a padding token to each text without tokens. Returns the batch itself if it has no such text. */
export function withPadding(batch: TensorBatch, paddingId: number): TensorBatch {
  const { ids, tokenCounts } = batch;
  if (!tokenCounts.includes(0)) return batch;
  const padded: number[] = [];
  let start = 0;
  for (const count of tokenCounts) {
    if (count === 0) padded.push(paddingId);
    else padded.push(...ids.subarray(start, start + count));
    start += count;
  }
  return { ids: Int32Array.from(padded), tokenCounts: tokenCounts.map((count) => Math.max(count, 1)) };
}
