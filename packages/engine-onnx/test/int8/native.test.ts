import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type BertModelOptions, writeBertModel } from '../../../../test/helpers/models/write-bert-model.ts';
import { nativeKernel } from '../../../encoder-native/src/index.ts';
import { cosine, type Engine, type ModelOverrides } from '../../../engine/src/index.ts';
import { ensureInt8Model } from '../../src/int8/convert-model.ts';
import { openOnnxEngine } from '../../src/onnx-engine.ts';
import { sampleTexts } from '../../src/sample-texts.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { change } from '../tiny-model.ts';

const skip = nativeKernel === undefined && 'the native encoder is not built, or not for this processor';
const shape = { width: 64, heads: 4, feedForwardWidth: 128 };

/** Writes a small BERT, and returns the directory of its conversion. */
async function converted(options: BertModelOptions = {}): Promise<string> {
  const [original, dataDir] = [await temporaryDirectory(), await temporaryDirectory()];
  await writeBertModel(original, { ...shape, ...options });
  return (await ensureInt8Model({ directory: original, dataDir, overrides: {} })).directory;
}

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

describe('an encoder in int8', { skip }, async () => {
  if (skip) return;
  const mean = await converted();
  /** Returns a copy of the conversion that pools in another way. The graph is the same. */
  const pooling = async (mode: 'cls' | 'max'): Promise<string> => {
    const directory = join(await temporaryDirectory(), 'copy');
    await cp(mean, directory, { recursive: true });
    await change(directory, '1_Pooling/config.json', (config) => {
      config.pooling_mode_mean_tokens = false;
      config[`pooling_mode_${mode}_token${mode === 'cls' ? '' : 's'}`] = true;
    });
    return directory;
  };

  for (const [mode, directory] of Object.entries({ mean, cls: await pooling('cls') })) {
    it(`is computed by the native encoder with pooling ${mode}, much as ONNX Runtime does`, async () => {
      await using opened = new AsyncDisposableStack();
      const [native, graph] = [await open(directory), await open(directory, { native: false })];
      for (const engine of [native, graph]) opened.defer(() => engine.close());
      assert.equal(native.settings.runtime, `native encoder, ${nativeKernel}`);
      assert.equal(graph.settings.runtime, 'ONNX Runtime, because NATIVE_ENCODER is off');
      assert.equal(native.model.fingerprint, graph.model.fingerprint);
      // A text without tokens has a vector too.
      const texts = await native.prepare(['', ...sampleTexts], 'document');
      const [ours, theirs] = [await native.run(texts), await graph.run(texts)];
      for (const [i, vector] of ours.entries())
        assert.ok(cosine(vector, theirs[i]!) > 0.999, `text ${i}: ${cosine(vector, theirs[i]!)}`);
    });
  }

  it('is computed according to the output that was chosen, whatever the names of outputs are', async () => {
    const directory = await converted({ outputs: ['pooler_output', 'output_0', 'last_hidden_state'] });
    for (const output of [undefined, 'output_0'])
      assert.equal(await runtimeOf(directory, { overrides: { output } }), `native encoder, ${nativeKernel}`);
    assert.equal(
      await runtimeOf(directory, { overrides: { output: 'pooler_output' } }),
      'ONNX Runtime, because the native encoder doesn\'t compute the output "pooler_output"',
    );
  });

  it('is computed by ONNX Runtime otherwise, and says why', async () => {
    const original = await temporaryDirectory();
    await writeBertModel(original, shape);
    const narrow = await converted({ width: 48, heads: 6 });
    const reasons = {
      'EMBEDDING_THREADS (threads in a file) is above 1': await runtimeOf(mean, { threadsPerWorker: 2 }),
      "the native encoder doesn't compute graphs of this kind": await runtimeOf(narrow),
      'the model was not converted to int8': await runtimeOf(original),
    };
    for (const [reason, runtime] of Object.entries(reasons))
      assert.equal(runtime, `ONNX Runtime, because ${reason}`);
  });

  it('says that it is in int8, whatever opens it', async () => {
    const engine = await open(mean);
    await engine.close();
    assert.equal(engine.model.dtype, 'int8');
  });
});
