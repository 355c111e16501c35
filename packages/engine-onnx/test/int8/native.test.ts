import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BertModelOptions, writeBertModel } from '../../../../test/helpers/models/write-bert-model.ts';
import { nativeKernel } from '../../../encoder-native/src/index.ts';
import { cosine, type Engine } from '../../../engine/src/index.ts';
import { ensureInt8Model } from '../../src/int8/convert-model.ts';
import { openOnnxEngine } from '../../src/onnx-engine.ts';
import { sampleTexts } from '../../src/sample-texts.ts';
import { temporaryDirectory } from '../builtin-directory.ts';

const skip = nativeKernel === undefined && 'the native encoder is not built, or not for this processor';
const shape = { width: 64, heads: 4, feedForwardWidth: 128 };

/** Writes a small BERT, and returns the directory of its conversion. */
async function converted(options: BertModelOptions = {}): Promise<string> {
  const [original, dataDir] = [await temporaryDirectory(), await temporaryDirectory()];
  await writeBertModel(original, { ...shape, ...options });
  return (await ensureInt8Model({ directory: original, dataDir, overrides: {} })).directory;
}

const open = (directory: string, how: { native?: boolean; threadsPerWorker?: number } = {}) =>
  openOnnxEngine({ directory, name: 'small', workers: 2, threadsPerWorker: 1, ...how }) as Promise<Engine>;

async function runtimeOf(directory: string, how: Parameters<typeof open>[1] = {}): Promise<unknown> {
  const engine = await open(directory, how);
  await engine.close();
  return engine.settings.runtime;
}

describe('an encoder in int8', { skip }, () => {
  for (const pooling of ['mean', 'cls'] as const) {
    it(`is computed by the native encoder with pooling ${pooling}, much as ONNX Runtime does`, async () => {
      const directory = await converted({ pooling });
      await using opened = new AsyncDisposableStack();
      const [native, graph] = [await open(directory), await open(directory, { native: false })];
      for (const engine of [native, graph]) opened.defer(() => engine.close());
      assert.equal(native.settings.runtime, `native encoder, ${nativeKernel}`);
      assert.equal(graph.settings.runtime, 'ONNX Runtime');
      assert.equal(native.model.fingerprint, graph.model.fingerprint);
      // A text without tokens has a vector too.
      const texts = await native.prepare(['', ...sampleTexts], 'document');
      const [ours, theirs] = [await native.run(texts), await graph.run(texts)];
      for (const [i, vector] of ours.entries())
        assert.ok(cosine(vector, theirs[i]!) > 0.999, `text ${i}: ${cosine(vector, theirs[i]!)}`);
    });
  }

  it('is computed by ONNX Runtime with several threads for a batch', async () => {
    assert.equal(await runtimeOf(await converted(), { threadsPerWorker: 2 }), 'ONNX Runtime');
  });

  for (const [name, options] of Object.entries({
    'with another pooling': { pooling: 'max' },
    'that is a cross-encoder': { outputs: ['logits'], tokenTypes: true },
    'whose heads are too narrow': { width: 48, heads: 6 },
  } satisfies Record<string, BertModelOptions>)) {
    it(`is computed by ONNX Runtime ${name}`, async () => {
      assert.equal(await runtimeOf(await converted(options)), 'ONNX Runtime');
    });
  }

  it('is computed by ONNX Runtime if it was not converted', async () => {
    const directory = await temporaryDirectory();
    await writeBertModel(directory, shape);
    assert.equal(await runtimeOf(directory), 'ONNX Runtime');
  });
});
