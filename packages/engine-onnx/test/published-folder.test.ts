import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Dense, Norm } from '../../../test/helpers/models/bert-weights.ts';
import { writeBertModel } from '../../../test/helpers/models/write-bert-model.ts';
import { nativeProblem } from '../../encoder-native/src/index.ts';
import { cosine, type Engine, joinPair } from '../../engine/src/index.ts';
import { engineContract } from '../../engine/test/contract.ts';
import { type WrittenTensor, writeWeights } from '../../onnx-int8/src/index.ts';
import { ensureInt8Model } from '../src/int8/convert-model.ts';
import { openOnnxEngine } from '../src/onnx-engine.ts';
import { sampleTexts } from '../src/sample-texts.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { change, open } from './tiny-model.ts';

const skip = nativeProblem ?? false;
const kind = { tokenTypes: true, width: 64, heads: 4, feedForwardWidth: 160 };

/** Writes a tiny BERT twice: as a graph, and as its authors would publish it. With `logits`, it scores pairs. */
async function folders(
  pooling: 'mean' | 'cls' | 'max' | 'lasttoken' = 'mean',
  outputs: readonly string[] = ['last_hidden_state'],
) {
  const parent = await temporaryDirectory();
  const [exported, published] = [join(parent, 'exported'), join(parent, 'published')];
  await writeBertModel(exported, { ...kind, pooling, outputs });
  const weights = await writeBertModel(published, { ...kind, pooling, outputs });
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
  linear('bert.pooler.dense', weights.pooler);
  linear('classifier', weights.classifier);
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

  it('has the scores of its graph for pairs, and close ones in int8, alone and together', async () => {
    const { exported, published } = await folders('cls', ['logits']);
    const record = await ensureInt8Model({ directory: published, dataDir: published, overrides: {} });
    assert.ok(record.correlation > 0.99 && record.correlation < 1, `${record.correlation}`);
    const pairs = sampleTexts.flatMap((text, i) => [
      joinPair(text, sampleTexts.at(-i)!),
      joinPair('a cat', text),
    ]);
    const graph = await open(exported);
    const expected = await vectorsOf(graph, pairs);
    await graph.close();
    for (const [folder, most] of [
      [published, 1e-5],
      [record.directory, 0.2],
    ] as const) {
      const engine = await open(folder);
      assert.match(String(engine.settings.runtime), /^native encoder/);
      assert.deepEqual([engine.model.task, engine.model.dimensions], ['rerank', 1]);
      const scores = await vectorsOf(engine, pairs);
      for (const [i, pair] of pairs.entries()) {
        assert.ok(
          Math.abs(scores[i]![0]! - expected[i]![0]!) < most,
          `${pair}: ${scores[i]}, ${expected[i]}`,
        );
        assert.deepEqual(await vectorsOf(engine, [pair]), [scores[i]]);
      }
      await engine.close();
    }
  });

  it('multiplies by its Dense modules, in int8 too, and states the size that they make', async () => {
    const { published } = await folders();
    const texts = sampleTexts.slice(0, 40);
    const plain = await open(published);
    const expected = (await vectorsOf(plain, texts)).map((vector) => [...vector]);
    await plain.close();
    const types = ['Transformer', 'Pooling', 'Dense', 'Dense', 'Normalize'];
    const modules = types.map((type, i) => ({ type: `st.${type}`, path: i === 0 ? '' : `${i}_${type}` }));
    await writeFile(join(published, 'modules.json'), JSON.stringify(modules));
    const write = (folder: string, activation: string, rows: number, columns: number) => {
      const config = {
        in_features: rows,
        out_features: columns,
        bias: false,
        activation_function: activation,
      };
      return writeFile(join(published, folder, 'config.json'), JSON.stringify(config));
    };
    const identity = 'torch.nn.modules.linear.Identity';
    for (const [folder, rows, columns] of [
      ['2_Dense', kind.width, 96],
      ['3_Dense', 96, 32],
    ] as const) {
      const values = Float32Array.from({ length: rows * columns }, (_, at) => Math.sin(at * at) / 4);
      await mkdir(join(published, folder));
      await write(folder, identity, rows, columns);
      const file = join(published, folder, 'model.safetensors');
      writeWeights(file, [{ name: 'linear.weight', shape: [columns, rows], values }], {});
      for (const [i, vector] of expected.entries())
        expected[i] = Array.from({ length: columns }, (_, column) =>
          vector.reduce((sum, x, row) => sum + x * values[column * rows + row]!, 0),
        );
    }
    const { directory } = await ensureInt8Model({ directory: published, dataDir: published, overrides: {} });
    for (const [folder, least] of [
      [published, 0.999999],
      [directory, 0.98],
    ] as const) {
      const engine = await open(folder);
      assert.equal(engine.model.dimensions, 32);
      for (const [i, vector] of (await vectorsOf(engine, texts)).entries())
        assert.ok(cosine(vector, Float32Array.from(expected[i]!)) > least, texts[i]);
      await engine.close();
    }
    await write('3_Dense', 'torch.nn.modules.activation.ReLU', 96, 32);
    await assert.rejects(open(published), /3_Dense.config.json: the Dense module has .* activation/);
    await write('3_Dense', identity, 96, 32);
    await change(published, '1_Pooling/config.json', (config) => {
      for (const key of Object.keys(config)) delete config[key];
    });
    await assert.rejects(
      open(published),
      /1_Pooling.config.json does not say how to pool; set EMBEDDING_POOLING/,
    );
    await rm(join(published, '3_Dense', 'model.safetensors'));
    await assert.rejects(open(published), /3_Dense.model.safetensors: missing/);
    execFileSync('mkfifo', [join(published, '3_Dense', 'model.safetensors')]);
    await assert.rejects(open(published), /3_Dense.model.safetensors: neither a file nor/);
  });

  it('is refused before its weights are read if they do not fit into memory', async () => {
    const { published } = await folders();
    await change(published, 'config.json', (config) => Object.assign(config, { hidden_size: 2 ** 40 }));
    await assert.rejects(
      open(published),
      /can need .* of memory .*, but only .* are left beside the weights/,
    );
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
