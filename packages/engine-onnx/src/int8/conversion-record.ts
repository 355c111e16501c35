import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { ifAbsent } from '../../../small/src/errors.ts';
import { isThere } from '../../../small/src/files.ts';
import type { Agreement } from '../agreement.ts';
import { convertedDtype, graphFiles, isGraphName } from '../model-file.ts';
import { isSealed, manifestName } from '../sealed-directory.ts';

/** What a converted directory states about itself, in `int8.json`. */
export interface ConversionRecord extends Agreement {
  /** The files of the original that affect vectors, with their SHA-256, and `task` of a reranker. */
  readonly source: Readonly<Record<string, string>>;
  /** Number of products that use int8. */
  readonly products: number;
}

export const recordFile = 'int8.json';

/** Returns the record of a complete converted directory; undefined if there is none, or if it is damaged. */
export async function readRecord(directory: string): Promise<ConversionRecord | undefined> {
  const text = await readFile(join(directory, recordFile), 'utf8').catch(ifAbsent(undefined));
  return text !== undefined && (await isSealed(directory)) ? JSON.parse(text) : undefined;
}

/** Reports whether `directory` is a converted model, even a damaged one. */
export const isConvertedDirectory = (directory: string): boolean => isThere(join(directory, recordFile));

/**
 * Throws if the weights of a converted directory differ from its SHA256SUMS. One without that file is used as it is. Its
 * JSON files can be edited, for example to state another limit.
 */
export async function refuseDamaged(directory: string): Promise<void> {
  const isListed = isConvertedDirectory(directory) && isThere(join(directory, manifestName));
  if (!isListed || (await isSealed(directory, (path) => !path.endsWith('.json')))) return;
  throw new Error(
    `${directory}: the weights differ from what ${manifestName} lists; convert the model again, or copy all of its files`,
  );
}

/** The end of the name that a conversion gets. The rest is the name of the original. */
const nameEnding = new RegExp(`\\.${convertedDtype}-\\d+$`);

/**
 * Throws if `directory` is a converted model, because it has no graph of another dtype. Its only graph has the name of
 * that of float32, so `fp32` would use it. The name of the graph in full is allowed. `published` is the id of the
 * original at a hub, if it is known.
 */
export function refuseConverted(directory: string, dtype: string, published: string | undefined): void {
  const isNamed = graphFiles(directory).some((path) => basename(path) === dtype);
  if (!isConvertedDirectory(directory) || (isGraphName(dtype) && isNamed)) return;
  const path = resolve(directory);
  const beside = path.replace(nameEnding, '');
  const place = beside !== path && isThere(beside) ? ` in ${beside}` : '';
  throw new Error(
    `${directory} was converted to int8, so it can't be used in ${dtype}; set EMBEDDING_MODEL (model in a ` +
      `file) to ${published ?? `the original${place}`}, or remove EMBEDDING_DTYPE (dtype in a file)`,
  );
}
