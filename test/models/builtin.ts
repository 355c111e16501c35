import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { builtinDirectory } from '../../packages/engine-onnx/src/builtin.ts';
import { ensureInt8Model } from '../../packages/engine-onnx/src/int8/convert-model.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import type { Compared } from './compare-model.ts';

/** A figure that was measured with the original. Its last digits depend on the processor, which rounds float32 sums. */
const measuredDigits = /(0\.\d{5})\d+/g;

/** Converts a copy of the original again, and compares all files with the built-in model, apart from such digits. */
export async function compareBuiltin(original: string): Promise<Compared> {
  using scratch = temporaryDirectory();
  const copy = join(scratch.path, 'copy');
  cpSync(original, copy, { recursive: true });
  const made = await ensureInt8Model({ directory: copy, dataDir: scratch.path, overrides: {} });
  const [ours, theirs] = [contents(await builtinDirectory()), contents(made.directory)];
  const names = [...new Set([...ours.keys(), ...theirs.keys()])];
  const others = names.filter((name) => ours.get(name) !== theirs.get(name));
  return {
    facts: [`converted again: ${names.length - others.length} of ${names.length} files equal`],
    differences: others.map((name) => ({ text: name, what: 'differs from packages/builtin-model/model' })),
  };
}

/** Returns what each file contains, without SHA256SUMS, which follows from the others. */
function contents(directory: string): Map<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS');
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const bytes = readFileSync(path, 'latin1');
      const isRecord = name === 'int8.json';
      return [relative(directory, path), isRecord ? bytes.replaceAll(measuredDigits, '$1') : bytes];
    }),
  );
}
