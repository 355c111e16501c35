/** What sentence-transformers makes of the texts, in a process of Python. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InputType } from '../../src/embeddings/engines/engine.ts';
import { cacheDirectory } from '../helpers/cache.ts';
import { hashOf, installOnce } from '../helpers/python.ts';

export interface Reference {
  /** The ids of each text, with the prompt and special tokens, cut at the model's limit. */
  readonly ids: readonly (readonly number[])[];
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

const deadlineMs = 1_800_000;
const programOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
// Nothing may be looked up at a hub.
const offline = { HF_HUB_OFFLINE: '1', TOKENIZERS_PARALLELISM: 'false', TQDM_DISABLE: '1' };

/** Runs a program of this folder. Throws when it fails, with what it wrote last. */
export function runPython(python: string, program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(python, [programOf(program), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: deadlineMs,
    maxBuffer: Number.POSITIVE_INFINITY,
    env: { ...process.env, ...offline },
  });
  if (status !== 0) throw new Error(`${program} failed: ${stderr.trim().slice(-2_000)}`);
}

/** Computes the texts, or reads what an earlier run computed of the same model and texts. */
export function referenceOf(python: string, { directory, texts, inputType }: ReferenceRequest): Reference {
  const sources = hashOf([texts, programOf('reference.py')]);
  const model = [basename(dirname(directory)), basename(directory)];
  const folder = cacheDirectory('references', ...model, inputType, sources);
  const out = join(folder, 'texts');
  installOnce(folder, () => runPython(python, 'reference.py', [directory, texts, inputType, out]));
  const ids: number[][] = JSON.parse(readFileSync(`${out}.ids.json`, 'utf8'));
  const bytes = readFileSync(`${out}.f32`);
  const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const size = numbers.length / ids.length;
  return { ids, vectors: ids.map((_, i) => numbers.subarray(i * size, (i + 1) * size)) };
}
