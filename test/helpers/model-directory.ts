import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuiltinModel } from '../../packages/engine-onnx/src/builtin.ts';
import { ensureInt8Model } from '../../packages/engine-onnx/src/int8/convert-model.ts';

const cache = fileURLToPath(new URL('../../.cache/test-model', import.meta.url));

/**
 * Puts the built-in model, in float32 and int8, into a data directory: a copy of one that all tests share, created on
 * first use.
 */
export async function provideModel(dataDir: string): Promise<void> {
  const original = await ensureBuiltinModel(cache);
  const { directory: converted } = await ensureInt8Model({
    directory: original,
    dataDir: cache,
    overrides: {},
  });
  // Nothing else in the cache: the process of another test may be converting the model there.
  for (const directory of [original, converted]) {
    await cp(directory, join(dataDir, relative(cache, directory)), {
      recursive: true,
      force: false,
      mode: constants.COPYFILE_FICLONE,
    });
  }
}
