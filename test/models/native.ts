/** Compares the native encoder's vectors of the built-in model with those of its graph. */
import assert from 'node:assert/strict';
import { nativeKernel } from '../../packages/encoder-native/src/index.ts';
import { cosine, type Engine } from '../../packages/engine/src/index.ts';
import { builtinDirectory } from '../../packages/engine-onnx/src/builtin.ts';
import { openOnnxEngine } from '../../packages/engine-onnx/src/onnx-engine.ts';
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
export async function compareNative(): Promise<Compared> {
  const directory = await builtinDirectory();
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
  const differences = mean >= leastMean ? [] : [{ text: directory, what: fact }];
  return { facts: [fact], differences };
}
