import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { type ReadableEncoder, readEncoder } from '../../onnx-int8/src/index.ts';
import { convert, cosine, texts } from '../../onnx-int8/test/converted-encoder.ts';
import { type EncoderKind, width } from '../../onnx-int8/test/encoder-graph.ts';
import { evaluate } from '../../onnx-int8/test/evaluate-layout.ts';
import { NativeEncoder, nativeKernel } from '../src/index.ts';

const skip = nativeKernel === undefined && 'the native encoder is not built, or not for this processor';
const poolings = ['mean', 'cls', 'last', 'max'] as const;
const kinds: Record<string, EncoderKind> = {
  'a BERT': { tokenTypes: true },
  'a RoBERTa': { countsTokens: true, isSdpa: true },
  'an encoder with a GELU by tanh': { activation: 'tanh' },
  'an encoder that begins with a product': { projects: true, tokenTypes: true },
};

const open = async (kind: EncoderKind) => readEncoder((await convert(kind)).to)!;

async function compute(
  encoder: NativeEncoder,
  batch: readonly (readonly number[])[],
  pooling: (typeof poolings)[number] = 'mean',
): Promise<Float32Array[]> {
  const ids = Int32Array.from(batch.flat());
  const counts = batch.map(({ length }) => length);
  const vectors = await encoder.compute(ids, counts, pooling);
  return batch.map((_, i) => vectors.slice(i * width, (i + 1) * width));
}

/** Computes many batches at once, and checks that each text has the vector it has alone. */
async function assertBatchesAgree(encoder: NativeEncoder): Promise<void> {
  const alone: Float32Array[] = [];
  for (const text of texts) alone.push(...(await compute(encoder, [text])));
  const batches = Array.from({ length: 60 }, (_, batch) =>
    Array.from({ length: batch % 13 }, (_, i) => (batch * 7 + i * i) % texts.length),
  );
  const calls = batches.map((places) =>
    compute(
      encoder,
      places.map((place) => texts[place]!),
    ),
  );
  for (const [i, vectors] of (await Promise.all(calls)).entries())
    assert.deepEqual(
      vectors,
      batches[i]!.map((place) => alone[place]),
    );
}

describe('the native encoder', { skip }, () => {
  for (const [name, kind] of Object.entries(kinds)) {
    it(`computes ${name} as its layout says, and each text alike in all batches and threads`, async () => {
      const file = await open(kind);
      const encoder = new NativeEncoder(file, 3);
      assert.equal(encoder.dimensions, width);
      for (const pooling of poolings) {
        for (const text of texts) {
          const all = evaluate(file, text);
          const tokens = pooling === 'cls' ? all.slice(0, 1) : pooling === 'last' ? all.slice(-1) : all;
          const expected = Float32Array.from({ length: width }, (_, i) =>
            pooling === 'max'
              ? Math.max(...tokens.map((token) => token[i]!))
              : tokens.reduce((sum, token) => sum + token[i]!, 0),
          );
          const [actual] = await compute(encoder, [text], pooling);
          assert.ok(cosine(expected, actual!) > 0.9999, `${pooling}: ${cosine(expected, actual!)}`);
          assert.ok(Math.abs(Math.hypot(...actual!) - 1) < 1e-6);
        }
      }
      await assertBatchesAgree(encoder);
      encoder.close();
    });
  }

  it('refuses ids and texts that the model has no numbers for, and computes others afterwards', async () => {
    const encoder = new NativeEncoder(await open({ countsTokens: true }), 2);
    const refuses = (batch: readonly number[][], message: RegExp) =>
      assert.rejects(compute(encoder, batch), message);
    for (const id of [-1, 100, 2 ** 31 - 1, -(2 ** 31)]) await refuses([[5, id]], /not in the vocabulary/);
    // Of 40 positions, the first two belong to the padding.
    const wrongLength = /no token, or more than there are positions/;
    for (const length of [0, 39, 100_000]) await refuses([[5], Array(length).fill(5)], wrongLength);
    for (const counts of [[-1], [2 ** 31 - 1]])
      await assert.rejects(encoder.compute(new Int32Array(1), counts, 'mean'), wrongLength);
    for (const counts of [[], [1], [1, 2]])
      await assert.rejects(encoder.compute(new Int32Array(2), counts, 'mean'), /lengths differ/);
    assert.deepEqual(await compute(encoder, []), []);
    assert.equal((await compute(encoder, [Array(38).fill(99)])).length, 1);
    await assertBatchesAgree(encoder);
    encoder.close();
  });

  it('waits for running calls when it is closed, and refuses calls after that', async () => {
    const encoder = new NativeEncoder(await open({}), 2);
    const expected = await compute(encoder, texts);
    const calls = Array.from({ length: 100 }, () => compute(encoder, texts));
    encoder.close();
    encoder.close();
    await assert.rejects(compute(encoder, texts), /the encoder is closed/);
    for (const vectors of await Promise.all(calls)) assert.deepEqual(vectors, expected);
  });

  it('serves several threads of JavaScript, which can end while their calls run', async () => {
    const { to } = await convert({});
    const program = `
      const { readEncoder } = await import(${JSON.stringify(import.meta.resolve('../../onnx-int8/src/index.ts'))});
      const { NativeEncoder } = await import(${JSON.stringify(import.meta.resolve('../src/index.ts'))});
      const { parentPort } = await import('node:worker_threads');
      const encoder = new NativeEncoder(readEncoder(${JSON.stringify(to)}), 2);
      const compute = () => encoder.compute(new Int32Array(30).fill(5), [30], 'mean');
      parentPort.postMessage(await compute());
      for (;;) await Promise.all(Array.from({ length: 100 }, compute));`;
    const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
    const workers = Array.from({ length: 3 }, () => new Worker(url));
    const replies = await Promise.all(workers.map((worker) => once(worker, 'message')));
    const encoder = new NativeEncoder(readEncoder(to)!, 1);
    const [expected] = await compute(encoder, [Array(30).fill(5)]);
    for (const [vector] of replies) assert.deepEqual(vector, expected);
    await Promise.all(workers.map((worker) => worker.terminate()));
    await assertBatchesAgree(encoder);
    encoder.close();
  });

  it('refuses weights that do not fit together', async () => {
    const file = await open({ projects: true, tokenTypes: true });
    const used = new Set<string>();
    const changed = (name: string, change: (bytes: Buffer) => Buffer): ReadableEncoder => ({
      ...file,
      tensor: (wanted) => {
        used.add(wanted);
        const found = file.tensor(wanted);
        return wanted === name ? { ...found, bytes: change(found.bytes) } : found;
      },
    });
    const refuses = (encoder: ReadableEncoder, message: RegExp) =>
      assert.throws(() => new NativeEncoder(encoder, 1).close(), message);
    new NativeEncoder(
      changed('', (bytes) => bytes),
      1,
    ).close();
    const { layers, types, words } = file.layout;
    for (const name of used) {
      // Its numbers become a part of the positions.
      if (name === types) continue;
      refuses(
        changed(name, (bytes) => bytes.subarray(4)),
        /a tensor has another size than the layout states/,
      );
      refuses(
        changed(name, (bytes) => Buffer.concat([bytes, Buffer.alloc(4)])),
        /another size/,
      );
    }
    assert.ok(used.size > 30, `${used.size} tensors`);
    for (const { queries, context, up, down } of layers)
      for (const { values } of [queries, context, up, down])
        for (const weight of [64, -64])
          refuses(
            changed(values, (bytes) => Buffer.from(bytes).fill(weight, 70, 71)),
            /more than 7 bits/,
          );
    refuses(
      changed(words.values, () => Buffer.alloc(0)),
      /another size/,
    );
    for (const [layout, message] of [
      [{ heads: 3 }, /another size than the layout states/],
      [{ layers: [] }, /a width is not a multiple of 16/],
      [{ positionOffset: 40 }, /out of range/],
      [{ positionOffset: -1 }, /out of range/],
      [{ widening: null }, /another size|more than the layout/],
    ] as const)
      refuses({ ...file, layout: { ...file.layout, ...layout } }, message);
  });
});
