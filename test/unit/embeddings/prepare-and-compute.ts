import type { Batcher, Computation } from '../../../src/embeddings/batcher.ts';
import type { Preparation } from '../../../src/embeddings/preparer.ts';
import type { CachedVector } from '../../../src/embeddings/vector-cache.ts';

/** Computes texts without a quota in between. */
export async function prepareAndCompute(
  batcher: Batcher,
  texts: readonly string[],
  request: Preparation & Computation,
): Promise<CachedVector[]> {
  return batcher.compute(await batcher.prepare(texts, request), request);
}
