import assert from 'node:assert/strict';
import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { writeBertModel } from '../../../../test/helpers/models/write-bert-model.ts';
import { nativeKernel } from '../../../encoder-native/src/index.ts';
import { cosine, type Engine, type ModelOverrides } from '../../../engine/src/index.ts';
import { encodeOnnxModel, type OnnxValue } from '../../../onnx-int8/src/index.ts';
import { builtinDirectory } from '../../src/builtin.ts';
import { ensureInt8Model } from '../../src/int8/convert-model.ts';
import { openOnnxEngine } from '../../src/onnx-engine.ts';
import { sampleTexts } from '../../src/sample-texts.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { change } from '../tiny-model.ts';

const skip = nativeKernel === undefined && 'the native encoder is not built, or not for this processor';
interface How {
  readonly native?: boolean;
  readonly threadsPerWorker?: number;
  readonly overrides?: ModelOverrides;
}

const open = (directory: string, how: How = {}) =>
  openOnnxEngine({ directory, name: 'small', workers: 2, threadsPerWorker: 1, ...how }) as Promise<Engine>;

async function runtimeOf(directory: string, how: How = {}): Promise<unknown> {
  const engine = await open(directory, how);
  await engine.close();
  return engine.settings.runtime;
}

describe('a graph that states its layout', { skip }, async () => {
  if (skip) return;
  const mean = await builtinDirectory();
  const copyOf = async (original: string): Promise<string> => {
    const directory = join(await temporaryDirectory(), 'copy');
    await cp(original, directory, { recursive: true });
    return directory;
  };
  const cls = await copyOf(mean);
  await change(cls, '1_Pooling/config.json', (config) => {
    config.pooling_mode_mean_tokens = false;
    config.pooling_mode_cls_token = true;
  });

  for (const [mode, directory] of Object.entries({ mean, cls })) {
    it(`is computed by the native encoder with pooling ${mode}, much as ONNX Runtime does`, async () => {
      await using opened = new AsyncDisposableStack();
      const [native, graph] = [await open(directory), await open(directory, { native: false })];
      for (const engine of [native, graph]) opened.defer(() => engine.close());
      assert.equal(native.settings.runtime, `native encoder, ${nativeKernel}`);
      assert.equal(graph.settings.runtime, 'ONNX Runtime, because NATIVE_ENCODER is off');
      for (const { model } of [native, graph])
        assert.deepEqual([model.fingerprint, model.dtype], [native.model.fingerprint, 'int8']);
      // A text without tokens has a vector too.
      const texts = await native.prepare(['', ...sampleTexts], 'document');
      const [ours, theirs] = [await native.run(texts), await graph.run(texts)];
      for (const [i, vector] of ours.entries())
        assert.ok(cosine(vector, theirs[i]!) > 0.995, `text ${i}: ${cosine(vector, theirs[i]!)}`);
    });
  }

  it('is computed according to the output that was chosen, whatever the names of outputs are', async () => {
    const directory = await copyOf(mean);
    const output = (name: string): OnnxValue => ({ name, type: 'float32', shape: ['texts', 'tokens', 384] });
    const node = (op: string, name: string) =>
      ({ op, inputs: ['last_hidden_state'], output: name, attributes: {} }) as const;
    const more = encodeOnnxModel({
      name: 'more outputs',
      opset: 18,
      nodes: [node('Identity', 'output_0'), node('Tanh', 'other')],
      initializers: [],
      inputs: [],
      outputs: ['output_0', 'other'].map(output),
    });
    // The fields of two messages, one after the other, are those of both.
    await appendFile(join(directory, 'onnx/model.onnx'), more);
    for (const output of [undefined, 'output_0'])
      assert.equal(await runtimeOf(directory, { overrides: { output } }), `native encoder, ${nativeKernel}`);
    assert.equal(
      await runtimeOf(directory, { overrides: { output: 'other' } }),
      'ONNX Runtime, because the native encoder doesn\'t compute the output "other"',
    );
  });

  it('is computed by ONNX Runtime otherwise, as is any other graph, and the reason is stated', async () => {
    const [original, dataDir] = [await temporaryDirectory(), await temporaryDirectory()];
    await writeBertModel(original, { width: 64, heads: 4, feedForwardWidth: 128 });
    const converted = await ensureInt8Model({ directory: original, dataDir, overrides: {} });
    assert.equal(
      await runtimeOf(mean, { threadsPerWorker: 2 }),
      'ONNX Runtime, because EMBEDDING_THREADS (threads in a file) is above 1',
    );
    for (const directory of [original, converted.directory])
      assert.match(
        String(await runtimeOf(directory)),
        /^ONNX Runtime, because the folder has a graph; without one, .* model\.safetensors/,
      );
  });
});
