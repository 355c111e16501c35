/** Compares the native encoder's vectors of a model in int8 with those of its graph. */
import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { nativeKernel } from '../../packages/encoder-native/src/index.ts';
import { cosine, type Engine } from '../../packages/engine/src/index.ts';
import { ensureInt8Model } from '../../packages/engine-onnx/src/int8/convert-model.ts';
import { openOnnxEngine } from '../../packages/engine-onnx/src/onnx-engine.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { readStsBenchmark } from '../helpers/sts-benchmark.ts';
import type { Compared } from './compare-model.ts';

const textsPerBatch = 16;
/**
 * A number that is halfway between two steps rounds up in one and down in the other, and changes the numbers that are
 * rounded later.
 */
const leastMean = 0.999;
const equalWithin = 1e-6;

/** Compares the vectors of the STS Benchmark's sentences. */
export async function compareNative(original: string): Promise<Compared> {
  using data = temporaryDirectory();
  // A copy, because the conversion is written beside the original.
  const copy = join(data.path, 'model');
  await cp(original, copy, { recursive: true, dereference: true });
  const { directory } = await ensureInt8Model({
    directory: copy,
    dataDir: data.path,
    overrides: {},
    // Weights that were not trained round worse.
    minCorrelation: 0,
  });
  const sentences = (await readStsBenchmark()).flatMap((pair) => pair.sentences);
  const vectorsOf = async (native: boolean): Promise<Float32Array[]> => {
    const options = { directory, name: 'compared', workers: 1, threadsPerWorker: 1, native };
    const engine = (await openOnnxEngine(options)) as Engine;
    try {
      assert.equal(!String(engine.settings.runtime).startsWith('ONNX Runtime'), native);
      const vectors: Float32Array[] = [];
      for (let from = 0; from < sentences.length; from += textsPerBatch) {
        const texts = await engine.prepare(sentences.slice(from, from + textsPerBatch), 'document');
        vectors.push(...(await engine.run(texts)));
      }
      return vectors;
    } finally {
      await engine.close();
    }
  };
  if (nativeKernel === undefined) return { facts: ['no native encoder on this machine'], differences: [] };
  const [ours, theirs] = [await vectorsOf(true), await vectorsOf(false)];
  const cosines = ours.map((vector, i) => cosine(vector, theirs[i]!));
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  const lowest = cosines.reduce((least, value) => Math.min(least, value), 1);
  const equal = ours.filter((vector, i) =>
    vector.every((value, at) => Math.abs(value - theirs[i]![at]!) <= equalWithin),
  ).length;
  const fact =
    `int8, native encoder and graph: cosine ${mean.toFixed(6)} on average, at least ${lowest.toFixed(4)}; ` +
    `${((equal / ours.length) * 100).toFixed(1)} % of the texts equal`;
  const differences = mean >= leastMean ? [] : [{ text: original, what: fact }];
  return { facts: [fact], differences };
}
