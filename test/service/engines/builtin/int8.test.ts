import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cosine, type Engine } from '../../../../src/engines/engine.ts';
import { ensureInt8Model } from '../../../../src/engines/onnx/int8/convert-model.ts';
import { openOnnxEngine } from '../../../../src/engines/onnx/onnx-engine.ts';
import { builtinDirectory, temporaryDirectory } from '../builtin-directory.ts';
import { readStsBenchmark, spearman } from '../sts-benchmark.ts';

const textsPerBatch = 32;

async function vectorsOf(directory: string, texts: readonly string[]): Promise<Float32Array[]> {
  const engine = (await openOnnxEngine({
    directory,
    name: 'builtin',
    workers: 2,
    threadsPerWorker: 1,
  })) as Engine;
  try {
    const prepared = await engine.prepare(texts, 'document');
    const starts = Array.from(
      { length: Math.ceil(texts.length / textsPerBatch) },
      (_, i) => textsPerBatch * i,
    );
    const batches = starts.map((start) => engine.run(prepared.slice(start, start + textsPerBatch)));
    return (await Promise.all(batches)).flat();
  } finally {
    await engine.close();
  }
}

it('the built-in model in int8 is as good as in float32 on the STS Benchmark', async (t) => {
  const original = await builtinDirectory();
  const dataDir = await temporaryDirectory();
  const converted = await ensureInt8Model({ directory: original, dataDir, overrides: {} });
  const pairs = await readStsBenchmark();
  const texts = pairs.flatMap((pair) => pair.sentences);
  const [float32, int8] = [await vectorsOf(original, texts), await vectorsOf(converted.directory, texts)];
  const score = (vectors: readonly Float32Array[]) =>
    spearman(
      pairs.map((_, i) => cosine(vectors[2 * i]!, vectors[2 * i + 1]!)),
      pairs.map((pair) => pair.similarity),
    );
  const cosines = float32.map((vector, i) => cosine(vector, int8[i]!));
  const lowest = Math.min(...cosines);
  t.diagnostic(
    `Spearman ${score(float32).toFixed(4)} in float32, ${score(int8).toFixed(4)} in int8; lowest cosine ${lowest.toFixed(4)}`,
  );
  assert.ok(score(int8) / score(float32) >= 0.995);
  assert.ok(lowest >= 0.99);
});
