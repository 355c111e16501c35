/** The built-in model, which comes with the product in int8 and needs no download. */
import { fileURLToPath } from 'node:url';
import { isSealed } from './sealed-directory.ts';

/** The same place in a checkout and in the npm package. */
const directory = fileURLToPath(new URL('../../builtin-model/model', import.meta.url));

/** Returns the path of the built-in model's directory. Throws unless all its files have their checksums. */
export async function builtinDirectory(): Promise<string> {
  if (await isSealed(directory)) return directory;
  throw new Error(
    `${directory} is incomplete or damaged: install the service again, or check the directory out`,
  );
}
