import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSealed } from '../../sealed-directory.ts';
import type { Agreement } from './agreement.ts';

/** What a converted directory states about itself, in `int8.json`. */
export interface ConversionRecord extends Agreement {
  /** The files of the original that affect vectors, with their SHA-256. */
  readonly source: Readonly<Record<string, string>>;
  /** Number of products that use int8. */
  readonly products: number;
}

export const recordFile = 'int8.json';

/** Returns the record of a complete converted directory; undefined if there is none, or if it is damaged. */
export async function readRecord(directory: string): Promise<ConversionRecord | undefined> {
  const text = await readFile(join(directory, recordFile), 'utf8').catch(() => undefined);
  return text !== undefined && (await isSealed(directory)) ? JSON.parse(text) : undefined;
}
