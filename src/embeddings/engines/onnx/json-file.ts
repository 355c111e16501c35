import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    this.found.push(path);
    try {
      return JSON.parse(text);
    } catch (cause) {
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
