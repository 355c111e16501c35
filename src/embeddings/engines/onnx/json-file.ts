import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const pointerStart = 'version https://git-lfs.github.com/spec/';

/** Throws where a file is what Git LFS leaves in place of one that was not fetched. */
export function refusePointer(file: string, beginning: string): void {
  if (!beginning.startsWith(pointerStart)) return;
  throw new Error(
    `${file}: a pointer of Git LFS, not the file itself; run "git lfs pull" in the model's repository`,
  );
}

/** A JSON object as a model's files have it: nothing about its fields is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON files of a model directory, read at once: threads wait for them. Remembers which of them there are. */
export class JsonFiles {
  /** Paths, relative to the directory, of the files that were found. */
  readonly found: string[] = [];
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** An empty object where there is no such file. Throws when the file is not a JSON object. */
  object(path: string): JsonObject {
    const value = this.#read(path) ?? {};
    if (!isObject(value)) throw new Error(`${join(this.directory, path)}: not a JSON object`);
    return value;
  }

  /** Answers undefined where there is no such file. Throws when the file is not a JSON array of objects. */
  list(path: string): readonly JsonObject[] | undefined {
    const value = this.#read(path);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every(isObject)) return value;
    throw new Error(`${join(this.directory, path)}: not a JSON array of objects`);
  }

  #read(path: string): unknown {
    const file = join(this.directory, path);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      throw new Error(`${file}: can't be read (${code})`, { cause: error });
    }
    this.found.push(path);
    try {
      // Some editors put a byte order mark first.
      return JSON.parse(text.replace(/^\ufeff/, ''));
    } catch (cause) {
      refusePointer(file, text);
      throw new Error(`${file}: not JSON`, { cause });
    }
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isPositiveInteger = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0;

/** The first of `fields` that holds a positive integer. */
export function positiveInteger(object: JsonObject, ...fields: readonly string[]): number | undefined {
  return fields.map((field) => object[field]).find(isPositiveInteger);
}
