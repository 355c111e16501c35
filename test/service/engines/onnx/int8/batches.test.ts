import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeOnnxModel } from '../../../../../packages/onnx-int8/src/index.ts';
import type { Engine, PreparedText } from '../../../../../src/engines/engine.ts';
import { ensureInt8Model } from '../../../../../src/engines/onnx/int8/convert-model.ts';
import { sampleTexts } from '../../../../../src/engines/onnx/int8/sample-texts.ts';
import { openOnnxEngine } from '../../../../../src/engines/onnx/onnx-engine.ts';
import { engineContract } from '../../../../contracts/engine.ts';
import { bertModel } from '../../../../helpers/models/bert-graph.ts';
import { bertWeights, tinyBert as tinyShape } from '../../../../helpers/models/bert-weights.ts';
import { wordPieces } from '../../../../helpers/models/wordpiece.ts';
import { writeBertModel } from '../../../../helpers/models/write-bert-model.ts';
import { builtinDirectory, temporaryDirectory } from '../../builtin-directory.ts';

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

const originals = { 'the built-in model': builtinDirectory, 'a BERT': tinyBert };
for (const [name, original] of Object.entries(originals)) {
  describe(`the vectors of ${name} in int8`, () => {
    let engine: Engine;
    let texts: readonly PreparedText[];
    let alone: Float32Array[];
    before(async () => {
      engine = await openConverted(await original());
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
        { numRuns: 60 },
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

const contracted = await tinyBert();
engineContract('a tiny BERT in int8', () => openConverted(contracted));
