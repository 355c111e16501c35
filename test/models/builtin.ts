import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { builtinDirectory } from '../../packages/engine-onnx/src/builtin.ts';
import { readRecord } from '../../packages/engine-onnx/src/int8/conversion-record.ts';
import { ensureInt8Model } from '../../packages/engine-onnx/src/int8/convert-model.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import type { Compared } from './compare-model.ts';

/**
 * Converts a copy of the original again. The built-in model must come from the same files, and the new one must be at
 * least as close to float32.
 */
export async function compareBuiltin(original: string): Promise<Compared> {
  using scratch = temporaryDirectory();
  const copy = join(scratch.path, 'copy');
  cpSync(original, copy, { recursive: true });
  const made = await ensureInt8Model({ directory: copy, dataDir: scratch.path, overrides: {} });
  const record = (await readRecord(await builtinDirectory()))!;
  const names = Object.keys({ ...record.source, ...made.source });
  const others = names.filter((name) => record.source[name] !== made.source[name]);
  const differences = others.map((name) => ({
    text: name,
    what: 'is not what the built-in model was made of',
  }));
  if (made.correlation < record.correlation)
    differences.push({ text: 'the conversion', what: 'is less close to float32 than the built-in model' });
  return {
    facts: [
      `converted again: correlation ${made.correlation.toFixed(4)}, built-in ${record.correlation.toFixed(4)}`,
    ],
    differences,
  };
}
