import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { untilEnd } from '../../../test/helpers/until-end.ts';
import { readEncoder, weightsFile, weightsIndex } from '../../onnx-int8/src/index.ts';
import { convertEncoder, NativeEncoder, nativeKernel, readPublished, type TokenBatch } from '../src/index.ts';
import type { EncoderTensors } from '../src/weights.ts';

const skip = nativeKernel === undefined && 'the native encoder is not built, or not for this processor';
/** Token ids of texts of different lengths. */
const texts = [5, 1, 12, 24, 2].map((length, text) =>
  Array.from({ length }, (_, i) => 2 + ((i * 37 + text * 11) % 38)),
);

const batchOf = (batch: readonly (readonly number[])[]): TokenBatch => ({
  ids: Int32Array.from(batch.flat()),
  tokenCounts: batch.map(({ length }) => length),
});

/** Converts the folder of a family to int8, and returns the file. */
async function convert(name: string): Promise<string> {
  const folder = fileURLToPath(new URL(`families/${name}`, import.meta.url));
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  const from = readPublished(join(folder, name === 'roberta' ? weightsIndex : weightsFile), config);
  const to = join(untilEnd(temporaryDirectory()).path, weightsFile);
  await convertEncoder({ from, to, texts: batchOf(texts) });
  return to;
}

const open = async (name: string) => readPublished(await convert(name), {});
const kinds: Record<string, () => Promise<EncoderTensors>> = {
  'a BERT': () => open('bert'),
  'an ALBERT': () => open('albert'),
  'the built-in model': async () =>
    readEncoder(fileURLToPath(new URL('../../builtin-model/model/onnx/model.onnx', import.meta.url)))!,
};

async function compute(
  encoder: NativeEncoder,
  batch: readonly (readonly number[])[],
): Promise<Float32Array[]> {
  const vectors = await encoder.compute(batchOf(batch), 'mean');
  const { dimensions } = encoder;
  return batch.map((_, i) => vectors.slice(i * dimensions, (i + 1) * dimensions));
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
  for (const [name, openKind] of Object.entries(kinds)) {
    it(`computes each text of ${name} alike in all batches and threads`, async () => {
      const encoder = new NativeEncoder(await openKind(), 3);
      await assertBatchesAgree(encoder);
      encoder.close();
    });
  }

  it('refuses ids and texts that the model has no numbers for, and computes others afterwards', async () => {
    const encoder = new NativeEncoder(await open('roberta'), 2);
    const refuses = (batch: readonly number[][], message: RegExp) =>
      assert.rejects(compute(encoder, batch), message);
    for (const id of [-1, 40, 2 ** 31 - 1, -(2 ** 31)]) await refuses([[5, id]], /not in the vocabulary/);
    // Of 26 positions, the first two belong to the padding.
    const wrongLength = /no token, or more than there are positions/;
    for (const length of [0, 25, 100_000]) await refuses([[5], Array(length).fill(5)], wrongLength);
    const computes = (ids: number, tokenCounts: number[], types = 0) =>
      encoder.compute({ ids: new Int32Array(ids), typeIds: new Int32Array(types), tokenCounts }, 'mean');
    for (const counts of [[-1], [2 ** 31 - 1]]) await assert.rejects(computes(1, counts), wrongLength);
    for (const counts of [[], [1], [1, 2]]) await assert.rejects(computes(2, counts), /lengths differ/);
    await assert.rejects(computes(2, [2], 1), /lengths differ/);
    assert.deepEqual(await compute(encoder, []), []);
    assert.equal((await compute(encoder, [Array(24).fill(39)])).length, 1);
    await assertBatchesAgree(encoder);
    encoder.close();
  });

  it('computes the same with a table of words that stays in its file, until that is written to', {
    skip: process.platform === 'win32',
  }, async () => {
    const file = await open('bert');
    const [copied, inFile] = [new NativeEncoder(file, 2), new NativeEncoder(file, 2, 1)];
    assert.deepEqual(await compute(inFile, texts), await compute(copied, texts));
    await assertBatchesAgree(inFile);
    const { path } = file.place!(file.layout.words.values);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, 100));
    const changed = /has changed since it was opened; restart the service/;
    await assert.rejects(compute(inFile, texts), changed);
    writeFileSync(path, bytes);
    await assert.rejects(compute(inFile, texts), changed);
    assert.throws(() => inFile.refuseChanges(), changed);
    const [again, expected] = [new NativeEncoder(file, 2, 1), await compute(copied, texts)];
    const calls = Array.from({ length: 20 }, () => compute(again, texts));
    for (const encoder of [again, inFile, copied]) encoder.close();
    for (const vectors of await Promise.all(calls)) assert.deepEqual(vectors, expected);
  });

  it('waits for running calls when it is closed, and refuses calls after that', async () => {
    const encoder = new NativeEncoder(await open('bert'), 2);
    const expected = await compute(encoder, texts);
    const calls = Array.from({ length: 100 }, () => compute(encoder, texts));
    encoder.close();
    encoder.close();
    await assert.rejects(compute(encoder, texts), /the encoder is closed/);
    for (const vectors of await Promise.all(calls)) assert.deepEqual(vectors, expected);
  });

  it('serves several threads of JavaScript, which can end while their calls run', async () => {
    const to = await convert('bert');
    const program = `
      const { NativeEncoder, readPublished } = await import(${JSON.stringify(import.meta.resolve('../src/index.ts'))});
      const { parentPort } = await import('node:worker_threads');
      const encoder = new NativeEncoder(readPublished(${JSON.stringify(to)}, {}), 2);
      const compute = () => encoder.compute({ ids: new Int32Array(20).fill(5), tokenCounts: [20] }, 'mean');
      parentPort.postMessage(await compute());
      for (;;) await Promise.all(Array.from({ length: 100 }, compute));`;
    const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
    const workers = Array.from({ length: 3 }, () => new Worker(url));
    const replies = await Promise.all(workers.map((worker) => once(worker, 'message')));
    const encoder = new NativeEncoder(readPublished(to, {}), 1);
    const [expected] = await compute(encoder, [Array(20).fill(5)]);
    for (const [vector] of replies) assert.deepEqual(vector, expected);
    await Promise.all(workers.map((worker) => worker.terminate()));
    await assertBatchesAgree(encoder);
    encoder.close();
  });

  it('refuses weights that do not fit together', async () => {
    const file = await open('albert');
    const used = new Set<string>();
    const changed = (name: string, change: (bytes: Buffer) => Buffer): EncoderTensors => ({
      ...file,
      tensor: (wanted) => {
        used.add(wanted);
        const found = file.tensor(wanted);
        return wanted === name ? { ...found, bytes: change(found.bytes) } : found;
      },
    });
    const refuses = (encoder: EncoderTensors, message: RegExp) =>
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
      [{ heads: 3 }, /has the shape 32 × 32 and not 32 × 48/],
      [{ layers: [] }, /a width is not a multiple of 16/],
      [{ positionOffset: 40 }, /out of range/],
      [{ positionOffset: -1 }, /out of range/],
      [{ widening: null }, /has the shape 32 × 32 and not 16 × 32/],
    ] as const)
      refuses({ ...file, layout: { ...file.layout, ...layout } }, message);
  });
});
