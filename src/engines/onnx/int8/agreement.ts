import { type Agreement, agreementOf, sampleVectors } from '../../agreement.ts';
import { openOnnxEngine } from '../onnx-engine.ts';
import type { ModelOverrides } from '../overrides.ts';

/** Computes the sample texts with both models, one model after the other. Throws when one can't be opened. */
export async function measureAgreement(
  original: string,
  converted: string,
  overrides: ModelOverrides,
): Promise<Agreement> {
  const before = await vectorsOf(original, overrides);
  return agreementOf(before, await vectorsOf(converted, overrides));
}

async function vectorsOf(directory: string, overrides: ModelOverrides): Promise<Float32Array[]> {
  const settings = { directory, name: directory, workers: 1, threadsPerWorker: 1, overrides };
  const engine = await openOnnxEngine(settings);
  try {
    return await sampleVectors(engine);
  } finally {
    await engine.close();
  }
}
