import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Dense, Norm } from '../../../test/helpers/models/bert-weights.ts';
import { writeBertModel } from '../../../test/helpers/models/write-bert-model.ts';
import { nativeProblem } from '../../encoder-native/src/index.ts';
import { cosine, type Engine } from '../../engine/src/index.ts';
import { engineContract } from '../../engine/test/contract.ts';
import { type WrittenTensor, writeWeights } from '../../onnx-int8/src/index.ts';
import { ensureInt8Model } from '../src/int8/convert-model.ts';
import { openOnnxEngine } from '../src/onnx-engine.ts';
import { sampleTexts } from '../src/sample-texts.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { change, open } from './tiny-model.ts';

const skip = nativeProblem ?? false;
const kind = { tokenTypes: true, width: 64, heads: 4, feedForwardWidth: 160 };

/** Writes a tiny BERT twice: as a graph, and as its authors would publish it. */
async function folders(pooling: 'mean' | 'cls' | 'max' | 'lasttoken' = 'mean') {
  const parent = await temporaryDirectory();
  const [exported, published] = [join(parent, 'exported'), join(parent, 'published')];
  await writeBertModel(exported, { ...kind, pooling });
  const weights = await writeBertModel(published, { ...kind, pooling });
  await rm(join(published, 'onnx'), { recursive: true });
  const tensors: WrittenTensor[] = [];
  const add = (name: string, values: Float32Array, ...shape: number[]) =>
    tensors.push({ name, shape, values });
  const linear = (name: string, { kernel, bias, rows, columns }: Dense) => {
    const turned = kernel.map((_, i) => kernel[(i % rows) * columns + Math.floor(i / rows)]!);
    add(`${name}.weight`, turned, columns, rows);
    add(`${name}.bias`, bias, columns);
  };
  const norm = (name: string, { scale, offset }: Norm) => {
    add(`${name}.weight`, scale, kind.width);
    add(`${name}.bias`, offset, kind.width);
  };
  const tables = { word: weights.words, position: weights.positions, token_type: weights.tokenTypes };
  for (const [name, values] of Object.entries(tables))
    add(`bert.embeddings.${name}_embeddings.weight`, values, values.length / kind.width, kind.width);
  norm('bert.embeddings.LayerNorm', weights.embeddingNorm);
  for (const [i, layer] of weights.layers.entries()) {
    const prefix = `bert.encoder.layer.${i}`;
    linear(`${prefix}.attention.self.query`, layer.query);
    linear(`${prefix}.attention.self.key`, layer.key);
    linear(`${prefix}.attention.self.value`, layer.value);
    linear(`${prefix}.attention.output.dense`, layer.attended);
    norm(`${prefix}.attention.output.LayerNorm`, layer.attentionNorm);
    linear(`${prefix}.intermediate.dense`, layer.inner);
    linear(`${prefix}.output.dense`, layer.outer);
    norm(`${prefix}.output.LayerNorm`, layer.outputNorm);
  }
  writeWeights(join(published, 'model.safetensors'), tensors, { format: 'pt' });
  return { exported, published };
}

const vectorsOf = async (engine: Engine, texts: readonly string[]) =>
  engine.run(await engine.prepare(texts, 'document'));

if (!skip) {
  const { published } = await folders();
  const int8 = async () =>
    (await ensureInt8Model({ directory: published, dataDir: published, overrides: {} })).directory;
  engineContract('a published folder in float32', () => open(published));
  engineContract('a published folder in int8', async () => open(await int8()));
}

describe('a published folder', { skip }, () => {
  for (const pooling of ['mean', 'cls', 'max', 'lasttoken'] as const)
    it(`has the vectors of its graph, and close ones in int8, with the pooling ${pooling}`, async () => {
      const { exported, published } = await folders(pooling);
      const record = await ensureInt8Model({ directory: published, dataDir: published, overrides: {} });
      assert.ok(record.lowestCosine > 0.98, `${record.lowestCosine}`);
      const [graph, engine] = [await open(exported), await open(published)];
      assert.match(String(engine.settings.runtime), /^native encoder/);
      const texts = ['', ...sampleTexts];
      const [expected, actual] = [await vectorsOf(graph, texts), await vectorsOf(engine, texts)];
      for (const [i, text] of texts.entries())
        assert.ok(
          cosine(expected[i]!, actual[i]!) > 0.999999,
          `${text}: ${cosine(expected[i]!, actual[i]!)}`,
        );
      assert.equal(engine.model.dtype, 'fp32');
      await Promise.all([graph.close(), engine.close()]);
    });

  it('is refused with what to do if the native encoder does not compute it', async () => {
    const { published } = await folders();
    const options = { directory: published, name: 'tiny', workers: 1, threadsPerWorker: 1 };
    const refuses = (changes: object, message: RegExp) =>
      assert.rejects(openOnnxEngine({ ...options, ...changes }), message);
    const remedy = '.*, or use a folder with a graph: "optimum-cli export onnx';
    await refuses({ native: false }, new RegExp(`NATIVE_ENCODER is off${remedy}`));
    await refuses({ threadsPerWorker: 2 }, new RegExp(`EMBEDDING_THREADS .* is above 1${remedy}`));
    await refuses({ overrides: { dtype: 'q8' } }, /no ONNX graph, .*; "optimum-cli export onnx/);
    await change(published, 'config.json', (config) => Object.assign(config, { model_type: 'deberta-v2' }));
    await refuses(
      {},
      /model.safetensors: .* doesn't know the "model_type" deberta-v2 .*optimum-cli export onnx/,
    );
    await writeFile(
      join(published, 'model.safetensors'),
      'version https://git-lfs.github.com/spec/v1\noid sha256:0',
    );
    await refuses({}, /model.safetensors: a pointer of Git LFS/);
  });
});
