import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuiltinModel } from '../../src/embeddings/engines/builtin/builtin.ts';

const cache = fileURLToPath(new URL('../../.cache/test-model', import.meta.url));

/**
 * Puts the converted built-in model into a data directory: a copy of one that all tests share, created on
 * first use.
 */
export async function provideModel(dataDir: string): Promise<void> {
  await ensureBuiltinModel(cache);
  await cp(join(cache, 'models'), join(dataDir, 'models'), {
    recursive: true,
    force: false,
    mode: constants.COPYFILE_FICLONE,
  });
}
