/** What sentence-transformers makes of the texts, in a process of Python. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InputType } from '../../packages/engine/src/index.ts';
import { cacheDirectory, hashOf, installOnce, pythonWith, runPython } from '../helpers/python.ts';

export interface Reference {
  /** The ids of each text, with the prompt and special tokens, cut at the model's limit. */
  readonly ids: readonly (readonly number[])[];
  /** The indices of texts that sentence-transformers reads otherwise than tokenizer.json says. */
  readonly otherwise: ReadonlySet<number>;
  /** A unit vector for each text. */
  readonly vectors: readonly Float32Array[];
}

export interface ReferenceRequest {
  /** The model's directory, in the one of `writtenModels`. */
  readonly directory: string;
  /** The file with the texts. */
  readonly texts: string;
  readonly inputType: InputType;
}

const place = (name: string): string => fileURLToPath(new URL(`reference/${name}`, import.meta.url));
const program = place('reference.py');

/** Returns a Python that has sentence-transformers and what serves it over HTTP. Throws NotInstalled. */
export const pythonOfReference = (): string => pythonWith(place('requirements.txt'));

/** Computes the texts, or reads what an earlier run computed of the same model and texts. */
export function referenceOf({ directory, texts, inputType }: ReferenceRequest): Reference {
  const sources = hashOf([texts, program, place('constraints.txt')]);
  const model = [basename(dirname(directory)), basename(directory)];
  const folder = cacheDirectory('references', ...model, inputType, sources);
  const out = join(folder, 'texts');
  installOnce(folder, () => runPython(pythonOfReference(), program, [directory, texts, inputType, out]));
  const { ids, otherwise }: { ids: number[][]; otherwise: number[] } = JSON.parse(
    readFileSync(`${out}.ids.json`, 'utf8'),
  );
  const bytes = readFileSync(`${out}.f32`);
  const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const size = numbers.length / ids.length;
  const vectors = ids.map((_, i) => numbers.subarray(i * size, (i + 1) * size));
  return { ids, otherwise: new Set(otherwise), vectors };
}
