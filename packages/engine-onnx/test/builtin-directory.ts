import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideModel } from '../../../test/helpers/model-directory.ts';
import { ensureBuiltinModel } from '../src/builtin.ts';

const made: string[] = [];
process.once('exit', () => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** A directory that is removed when the test's process ends, with what was made beside it, such as a conversion. */
export async function temporaryDirectory(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'embedgate-test-'));
  made.push(parent);
  const directory = join(parent, 'directory');
  await mkdir(directory);
  return directory;
}

/** The built-in model, converted into a temporary directory. */
export const builtinDirectory = async (): Promise<string> => ensureBuiltinModel(await temporaryDirectory());

/** A data directory with the built-in model and its int8 conversion, both made once for all tests. */
export async function providedModel(): Promise<{ readonly dataDir: string; readonly directory: string }> {
  const dataDir = await temporaryDirectory();
  await provideModel(dataDir);
  return { dataDir, directory: await ensureBuiltinModel(dataDir) };
}
