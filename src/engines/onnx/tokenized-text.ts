import type { PreparedText } from '../engine.ts';
import type { Batch } from './graph-inputs.ts';
import type { TokenizedTexts } from './tokenizer-worker.ts';

export interface TokenizedText extends PreparedText {
  readonly ids: Int32Array;
}

/** Splits the result of the tokenizer's thread into texts. */
export function split({ ids, tokenCounts, fullTokenCounts }: TokenizedTexts): TokenizedText[] {
  let start = 0;
  return tokenCounts.map((tokenCount, i) => {
    const end = start + tokenCount;
    const fullTokenCount = fullTokenCounts[i]!;
    const isCut = fullTokenCount > tokenCount;
    const text = { tokenCount, fullTokenCount, isCut, ids: ids.slice(start, end) };
    start = end;
    return text;
  });
}

/** Joins texts into a batch for the inference thread. */
export function join(batch: readonly TokenizedText[]): Batch & { ids: Int32Array<ArrayBuffer> } {
  const tokenCounts = batch.map((text) => text.tokenCount);
  const ids = new Int32Array(tokenCounts.reduce((sum, count) => sum + count, 0));
  let next = 0;
  for (const text of batch) {
    ids.set(text.ids, next);
    next += text.tokenCount;
  }
  return { ids, tokenCounts };
}
