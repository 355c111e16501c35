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

  /** Appends a range of another file and returns where it begins and how long it is. */
  async copy(
    path: string,
    { from, to }: Elements,
    onBytes: (bytes: number) => void,
  ): Promise<{ offset: number; length: number }> {
    const offset = this.#align();
    const source = await open(path);
    try {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, to - from)));
      for (let at = from; at < to; ) {
        const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, to - at), at);
        if (bytesRead === 0 && to !== Number.POSITIVE_INFINITY) throw new RangeError('the end of the file');
        if (bytesRead === 0) break;
        await this.#write(buffer.subarray(0, bytesRead));
        at += bytesRead;
        onBytes(bytesRead);
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
