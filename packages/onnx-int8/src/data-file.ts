import { type FileHandle, open } from 'node:fs/promises';
import type { Elements } from './stored-tensor.ts';

const alignment = 64;
const chunkBytes = 4 << 20;

/** The file with the elements of a graph's tensors. */
export class DataFile {
  readonly #handle: FileHandle;
  #end = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(path: string): Promise<DataFile> {
    return new DataFile(await open(path, 'wx'));
  }

  /** Appends the bytes and returns where they begin. */
  async append(bytes: Uint8Array): Promise<number> {
    const offset = this.#align();
    await this.#write(bytes);
    return offset;
  }

  /**
   * Appends a range of another file and returns where it begins and how long it is. `onBytes` receives the bytes in
   * parts that divide no element.
   */
  async copy(
    path: string,
    { from, to }: Elements,
    onBytes: (bytes: Uint8Array) => void,
  ): Promise<{ offset: number; length: number }> {
    const offset = this.#align();
    const source = await open(path);
    try {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, to - from)));
      for (let at = from; at < to; ) {
        const part = buffer.subarray(0, Math.min(buffer.length, to - at));
        const bytesRead = await fill(source, part, at);
        if (bytesRead < part.length && to !== Number.POSITIVE_INFINITY)
          throw new RangeError('the end of the file');
        const read = part.subarray(0, bytesRead);
        onBytes(read);
        await this.#write(read);
        at += bytesRead;
        if (bytesRead < part.length) break;
      }
    } finally {
      await source.close();
    }
    return { offset, length: this.#end - offset };
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #align(): number {
    this.#end = Math.ceil(this.#end / alignment) * alignment;
    return this.#end;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, this.#end);
      done += bytesWritten;
      this.#end += bytesWritten;
    }
  }
}

/** Reads until `into` is full or the file ends, and returns how many bytes were read. */
export async function fill(source: FileHandle, into: Uint8Array, from: number): Promise<number> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await source.read(into, done, into.length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}
