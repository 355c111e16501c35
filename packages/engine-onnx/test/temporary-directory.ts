import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory as ownedDirectory } from '../../../test/helpers/directory.ts';

const made = new DisposableStack();
process.once('exit', () => made.dispose());

/** A directory that is removed when the test's process ends, with what was made beside it, such as a conversion. */
export async function temporaryDirectory(): Promise<string> {
  const directory = join(made.use(ownedDirectory()).path, 'directory');
  mkdirSync(directory);
  return directory;
}
