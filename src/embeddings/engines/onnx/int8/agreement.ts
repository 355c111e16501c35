/** Measures how close the vectors of a converted model are to those of the original. */
import { cosine, type Engine } from '../../engine.ts';
import { openOnnxEngine } from '../onnx-engine.ts';
import type { ModelOverrides } from '../overrides.ts';
import { sampleTexts } from './sample-texts.ts';

export interface Agreement {
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
    lowestCosine: Math.min(...cosines),
    meanCosine: cosines.reduce((sum, value) => sum + value, 0) / cosines.length,
  };
}

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
