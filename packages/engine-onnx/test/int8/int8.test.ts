import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { bertModel } from '../../../../test/helpers/models/bert-graph.ts';
import {
  type BertWeights,
  bertWeights,
  tinyBert as tinyShape,
} from '../../../../test/helpers/models/bert-weights.ts';
import { wordPieces } from '../../../../test/helpers/models/wordpiece.ts';
import { writeBertModel } from '../../../../test/helpers/models/write-bert-model.ts';
import type { Engine, PreparedText } from '../../../engine/src/index.ts';
import { engineContract } from '../../../engine/test/contract.ts';
import { encodeOnnxModel } from '../../../onnx-int8/src/index.ts';
import { correlation } from '../../src/agreement.ts';
import { builtinDirectory } from '../../src/builtin.ts';
import { ensureInt8Model } from '../../src/int8/convert-model.ts';
import { openOnnxEngine } from '../../src/onnx-engine.ts';
import { sampleTexts } from '../../src/sample-texts.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const shape = { ...tinyShape, width: 64, heads: 4, feedForwardWidth: 128 };

async function changedBert(change: (weights: BertWeights) => void): Promise<string> {
  const directory = join(await temporaryDirectory(), 'bert');
  await writeBertModel(directory, shape);
  const weights = bertWeights(shape);
  change(weights);
  await writeFile(join(directory, 'onnx/model.onnx'), encodeOnnxModel(bertModel(weights)));
  return directory;
}

async function convert(change: (weights: BertWeights) => void, minCorrelation?: number) {
  const directory = await changedBert(change);
  return ensureInt8Model({ directory, dataDir: directory, overrides: {}, minCorrelation });
}

/** Lets the layers write large numbers into a column, which the next products read with small weights. */
function enlargeColumn({ layers }: BertWeights): void {
  const [column, factor] = [5, 40];
  for (const { outer, query, key, value, inner } of layers) {
    for (let row = 0; row < outer.rows; row++) outer.kernel[row * outer.columns + column]! *= factor;
    for (const { kernel, columns } of [query, key, value, inner])
      for (let i = 0; i < columns; i++) kernel[column * columns + i]! /= factor;
  }
}

/**
 * Enlarges some columns of the values, and makes up for it in the next matrix. In float32, only a part that all vectors
 * have in common is new.
 */
function hideLosses({ layers }: BertWeights): void {
  const [factor, every, commonLength] = [300, 8, 100];
  for (const { value, attended } of layers) {
    for (let column = 0; column < value.columns; column += every) {
      for (let row = 0; row < value.rows; row++) value.kernel[row * value.columns + column]! *= factor;
      value.bias[column]! *= factor;
      for (let i = 0; i < attended.columns; i++) attended.kernel[column * attended.columns + i]! /= factor;
    }
  }
  const { offset } = layers.at(-1)!.outputNorm;
  offset.forEach((value, i) => {
    offset[i] = value + ((i % 2 ? 1 : -1) * commonLength) / Math.sqrt(offset.length);
  });
}

/** Makes few columns of the values so large that all else is lost in int8, where they cancel each other out in float32. */
function spoilText({ layers }: BertWeights): void {
  const [first, second, size] = [1, 2, 3_000];
  for (const { value, attended } of layers) {
    for (const column of [first, second]) {
      value.bias[column] = size;
      const sign = column === first ? 1 : -1;
      for (let i = 0; i < attended.columns; i++)
        attended.kernel[column * attended.columns + i] =
          sign * attended.kernel[first * attended.columns + i]!;
    }
  }
}

describe('a converted graph', () => {
  it('agrees with float32 as the similarities of sample texts correlate', async () => {
    const { correlation: agreement } = await convert(() => {});
    assert.ok(agreement > 0.99 && agreement < 1, `${agreement}`);
    assert.equal(correlation([1, 2, 3], [10, 20, 30]), 1);
    assert.equal(correlation([1, 2, 3], [3, 2, 1]), -1);
  });

  it('is refused for a text that gets another vector, which the message names, whatever the correlation', async () => {
    await assert.rejects(
      convert(spoilText, 0),
      /the text ".+" would get another vector than in float32, with a cosine of -?0\.\d{4}; use EMBEDDING_DTYPE=fp32/,
    );
  });

  it('is refused for losses that cosines hide, because all vectors have a large part in common', async () => {
    await assert.rejects(
      convert(hideLosses),
      /another order than float32.* correlation of 0\.\d+, and the bound is 0\.99 \(the lowest cosine .* 0\.9[89]/,
    );
    assert.ok((await convert(hideLosses, 0)).correlation < 0.99);
  });
});

async function tinyBert(): Promise<string> {
  const directory = await temporaryDirectory();
  await writeBertModel(directory, { tokenTypes: true, width: 64, heads: 4, feedForwardWidth: 160 });
  return directory;
}

async function openConverted(original: string): Promise<Engine> {
  const dataDir = await temporaryDirectory();
  const { directory } = await ensureInt8Model({ directory: original, dataDir, overrides: {} });
  return openOnnxEngine({ directory, name: 'int8', workers: 1, threadsPerWorker: 1 }) as Promise<Engine>;
}

const tiny = await tinyBert();
engineContract('a tiny BERT in int8', () => openConverted(tiny));

const engines = {
  async 'the built-in model'() {
    return openConverted(await builtinDirectory());
  },
  'a BERT': async () => openConverted(tiny),
  'a BERT with a large column': async () => openConverted(await changedBert(enlargeColumn)),
};
for (const [name, openEngine] of Object.entries(engines)) {
  describe(`the vectors of ${name} in int8`, () => {
    let engine: Engine;
    let texts: readonly PreparedText[];
    let alone: Float32Array[];
    before(async () => {
      engine = await openEngine();
      const long = [5, 30, 90].map((words) => sampleTexts.join(' ').split(' ').slice(0, words).join(' '));
      texts = await engine.prepare(['', 'a', ...sampleTexts, ...long], 'document');
      alone = [];
      for (const text of texts) alone.push(...(await engine.run([text])));
    });
    after(() => engine.close());

    it('are the same alone and in any batch, whatever the neighbors and the padding', async () => {
      let largest = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat({ max: sampleTexts.length + 4 }), { minLength: 2, maxLength: 40 }),
          async (places) => {
            const vectors = await engine.run(places.map((place) => texts[place]!));
            vectors.forEach((vector, i) => {
              const expected = alone[places[i]!]!;
              vector.forEach((value, j) => {
                largest = Math.max(largest, Math.abs(value - expected[j]!));
              });
            });
            assert.ok(largest <= 1e-6, `a component changes by ${largest}`);
          },
        ),
        { numRuns: 20 },
      );
    });
  });
}

it('a number that is not finite in float32 stays one in int8, and a NaN is refused', async () => {
  const shape = { ...tinyShape, width: 64, heads: 4, feedForwardWidth: 160 };
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const directory = await temporaryDirectory();
    await writeBertModel(directory, { ...shape, words: ['poisoned'] });
    const weights = bertWeights(shape);
    const row = wordPieces(shape.vocabularySize, ['poisoned']).indexOf('poisoned');
    assert.ok(row > 0);
    weights.words[row * shape.width + 5] = value;
    await writeFile(join(directory, 'onnx/model.onnx'), encodeOnnxModel(bertModel(weights)));
    if (Number.isNaN(value)) {
      await assert.rejects(openConverted(directory), /tensor ".+" has a number that is not finite/);
      continue;
    }
    await using opened = new AsyncDisposableStack();
    const engine = opened.adopt(await openConverted(directory), (it) => it.close());
    const [sound, broken] = await engine.run(await engine.prepare(['hello', 'poisoned'], 'document'));
    assert.ok(sound!.every(Number.isFinite));
    assert.ok(!broken!.every(Number.isFinite));
  }
});
