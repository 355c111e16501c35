import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileBytes } from '../../onnx-int8/src/index.ts';
import { codeOf } from '../../small/src/errors.ts';
import { areObjects, isObject, type JsonObject } from '../../small/src/json.ts';
import { isReadable } from './model-file.ts';

const pointerStart = 'version https://git-lfs.github.com/spec/';

/** A pointer is shorter. */
const pointerBytes = 1_024;

/** Throws when a file is a Git LFS pointer to a file that was not fetched. */
export function refusePointer(file: string): void {
  const bytes = new FileBytes(file);
  const beginning = bytes.read({ from: 0, to: Math.min(bytes.size, pointerBytes) }).toString();
  bytes.close();
  if (!beginning.startsWith(pointerStart)) return;
  throw new Error(
    `${file}: a pointer of Git LFS, not the file itself; run "git lfs pull" in the model's repository`,
  );
}

/** Reads the JSON files of a model directory, synchronously because threads wait for them. Records which exist. */
export class JsonFiles {
  /** The paths of the files that were found, relative to the directory. */
  readonly found: string[] = [];
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Returns an empty object if the file does not exist. Throws when it is not a JSON object. */
  object(path: string): JsonObject {
    const value = this.#read(path) ?? {};
    if (!isObject(value)) throw new Error(`${join(this.directory, path)}: not a JSON object`);
    return value;
  }

  /** Returns undefined if the file does not exist. Throws when it is not a JSON array of objects. */
  list(path: string): readonly JsonObject[] | undefined {
    const value = this.#read(path);
    if (value === undefined) return undefined;
    if (areObjects(value)) return value;
    throw new Error(`${join(this.directory, path)}: not a JSON array of objects`);
  }

  #read(path: string): unknown {
    const file = join(this.directory, path);
    let text: string;
    try {
      if (!isReadable(file)) return undefined;
      text = readFileSync(file, 'utf8');
    } catch (error) {
      const code = codeOf(error);
      throw code ? new Error(`${file}: can't be read (${code})`, { cause: error }) : error;
    }
    this.found.push(path);
    try {
      // Some editors start a file with a byte order mark.
      return JSON.parse(text.replace(/^\ufeff/, ''));
    } catch (cause) {
      refusePointer(file);
      throw new Error(`${file}: not JSON`, { cause });
    }
  }
}
