import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cosine, type Engine } from '../../../packages/engine/src/index.ts';
import { builtinDirectory } from '../../../packages/engine-onnx/src/builtin.ts';
import { openOnnxEngine } from '../../../packages/engine-onnx/src/onnx-engine.ts';
import {
  isPacked,
  type Numbers,
  type OutputType,
  outputTypes,
  toOutputType,
} from '../../../src/embeddings/output-types.ts';
import { readStsBenchmark, spearman } from '../../helpers/sts-benchmark.ts';

const textsPerBatch = 32;

test('the built-in model is whole, and as good on the STS Benchmark as published, in each type of numbers', async (t) => {
  const threads = { workers: 2, threadsPerWorker: 1 };
  const options = { directory: await builtinDirectory(), name: 'builtin', ...threads };
  const engine = (await openOnnxEngine(options)) as Engine;
  t.after(() => engine.close());
  const pairs = await readStsBenchmark();
  const sentences = pairs.flatMap((pair) => pair.sentences);
  const texts = await engine.prepare(sentences, 'document');
  const batches: Promise<Float32Array[]>[] = [];
  for (let from = 0; from < texts.length; from += textsPerBatch)
    batches.push(engine.run(texts.slice(from, from + textsPerBatch)));
  const vectors = (await Promise.all(batches)).flat();
  const scoreOf = (type: OutputType): number => {
    const typed = vectors.map((vector) => centered(toOutputType(vector, type), type));
    return spearman(
      pairs.map((_, i) => cosine(typed[2 * i]!, typed[2 * i + 1]!)),
      pairs.map((pair) => pair.similarity),
    );
  };
  const scores = outputTypes.map((type) => [type, scoreOf(type)] as const);
  t.diagnostic(scores.map(([type, score]) => `${type} ${score.toFixed(4)}`).join(', '));
  // The published model in float32 has 0.8672.
  for (const [type, score] of scores)
    assert.ok(score >= (isPacked(type) ? 0.84 : 0.865), `${type}: ${score}`);
});

/** Returns a unit vector from numbers of any type. The bits become −1 and 1, as for the Hamming distance. */
function centered(numbers: Numbers, type: OutputType): Float32Array {
  const shift = type === 'binary' ? 128 : 0;
  const values = isPacked(type)
    ? [...numbers].flatMap((byte) =>
        Array.from({ length: 8 }, (_, i) => (((byte + shift) >> (7 - i)) & 1) * 2 - 1),
      )
    : Array.from(numbers, (value) => value - (type === 'uint8' ? 128 : 0));
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
}
