import type { PreparedText } from '../../engine/src/index.ts';
import type { Batch } from './graph-inputs.ts';

export interface TokenizedText extends PreparedText {
  readonly ids: Int32Array;
  /** The type of each token of a pair. */
  readonly typeIds?: Int32Array | undefined;
}

/** Joins texts into a batch for the inference thread. */
export function join(batch: readonly TokenizedText[]): Batch & { ids: Int32Array<ArrayBuffer> } {
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
