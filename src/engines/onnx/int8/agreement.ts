/** Measures how close the vectors of a converted model are to those of the original. */
import { cosine, type Engine } from '../../engine.ts';
import { openOnnxEngine } from '../onnx-engine.ts';
import type { ModelOverrides } from '../overrides.ts';
import { sampleTexts } from './sample-texts.ts';

export interface Agreement {
  /**
   * The correlation of the similarities of all pairs of texts, in the original and after the conversion. Searches rank
   * by similarity. A cosine between two vectors of a text says little about that: in many models, all vectors have a
   * large part in common.
   */
  readonly correlation: number;
  /** The lowest cosine between the two vectors of a sample text. */
  readonly lowestCosine: number;
  readonly meanCosine: number;
}

/** Computes the sample texts with both models, one model after the other. Throws when one can't be opened. */
export async function measureAgreement(
  original: string,
  converted: string,
  overrides: ModelOverrides,
): Promise<Agreement> {
  const before = await vectorsOf(original, overrides);
  const after = await vectorsOf(converted, overrides);
  // Rounding can give a little more than 1.
  const cosines = before.map((vector, i) => Math.min(1, cosine(vector, after[i]!)));
  return {
    correlation: correlation(similarities(before), similarities(after)),
    lowestCosine: Math.min(...cosines),
    meanCosine: mean(cosines),
  };
}

/** Returns the cosine of each pair. */
const similarities = (vectors: readonly Float32Array[]): number[] =>
  vectors.flatMap((vector, i) => vectors.slice(0, i).map((other) => cosine(vector, other)));

/** Pearson's correlation. Unlike a rank correlation, it weighs pairs whose similarity is unusual, as search results do. */
export function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [product, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [fromA, fromB] = [a[i]! - meanA, b[i]! - meanB];
    product += fromA * fromB;
    squaresA += fromA ** 2;
    squaresB += fromB ** 2;
  }
  return Math.min(1, product / Math.sqrt(squaresA * squaresB));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

async function vectorsOf(directory: string, overrides: ModelOverrides): Promise<Float32Array[]> {
  const engine: Engine = await openOnnxEngine({
    directory,
    name: directory,
    workers: 1,
    threadsPerWorker: 1,
    overrides,
  });
  try {
    const prepared = await engine.prepare(sampleTexts, 'document');
    const vectors: Float32Array[] = [];
    // One at a time, because the model may need much memory.
    for (const text of prepared) vectors.push(...(await engine.run([text])));
    return vectors;
  } finally {
    await engine.close();
  }
}
