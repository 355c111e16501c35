import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { encodeOnnxModel } from '../../../../../packages/onnx-int8/src/index.ts';
import { correlation } from '../../../../../src/engines/onnx/int8/agreement.ts';
import { ensureInt8Model } from '../../../../../src/engines/onnx/int8/convert-model.ts';
import { bertModel } from '../../../../helpers/models/bert-graph.ts';
import { type BertWeights, bertWeights, tinyBert } from '../../../../helpers/models/bert-weights.ts';
import { writeBertModel } from '../../../../helpers/models/write-bert-model.ts';
import { temporaryDirectory } from '../../builtin-directory.ts';

const shape = { ...tinyBert, width: 64, heads: 4, feedForwardWidth: 128 };

async function convert(change: (weights: BertWeights) => void, minCorrelation?: number) {
  const directory = join(await temporaryDirectory(), 'bert');
  await writeBertModel(directory, shape);
  const weights = bertWeights(shape);
  change(weights);
  await writeFile(join(directory, 'onnx/model.onnx'), encodeOnnxModel(bertModel(weights)));
  return ensureInt8Model({ directory, dataDir: directory, overrides: {}, minCorrelation });
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

describe('the agreement of a converted model with the original', () => {
  it('is the correlation of similarities', async () => {
    assert.equal(correlation([1, 2, 3], [10, 20, 30]), 1);
    assert.equal(correlation([1, 2, 3], [3, 2, 1]), -1);
    const converted = await convert(() => {});
    assert.ok(converted.correlation > 0.99 && converted.correlation < 1, `${converted.correlation}`);
  });

  it('shows losses that cosines hide, because all vectors have a large part in common', async () => {
    await assert.rejects(
      convert(hideLosses),
      /it would rank texts in another order than float32.* correlation of 0\.\d+, and the bound is 0\.99 /,
    );
    const accepted = await convert(hideLosses, 0);
    assert.ok(accepted.lowestCosine > 0.98, `${accepted.lowestCosine}`);
  });
});
