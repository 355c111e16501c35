import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory as ownedDirectory } from '../../../test/helpers/directory.ts';
import { provideModel } from '../../../test/helpers/model-directory.ts';
import { ensureBuiltinModel } from '../src/builtin.ts';

const made = new DisposableStack();
process.once('exit', () => made.dispose());

/** A directory that is removed when the test's process ends, with what was made beside it, such as a conversion. */
export async function temporaryDirectory(): Promise<string> {
  const directory = join(made.use(ownedDirectory()).path, 'directory');
  mkdirSync(directory);
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
