import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { fieldsOf, parsedJson } from '../../small/src/json.ts';
import { type Embedding, requireSame, type Source } from './embedding.ts';

/** What decides the vectors of a run: the checksum of the input, and options by their names. */
export type Circumstances = Readonly<Record<string, string | number | null>>;

const format = 'embedgate embed, version 2';
const recordHead = 8;
const maxHeadBytes = 65_536;
const syncEveryMs = 1_000;

/**
 * The finished vectors of a run, in the order of the input. The file is one line of JSON, then records: the number of
 * bytes, their CRC-32, and float32 numbers: each vector, and 1 if its text was cut. A record that a crash left incomplete
 * is dropped.
 */
export class PartialFile implements Disposable {
  readonly #file: number;
  readonly #path: string;
  readonly #circumstances: Circumstances;
  /** Where the records begin and end. */
  #start = 0;
  #end = 0;
  #syncedMs = 0;
  /** The number of vectors. */
  count = 0;
  /** The size of each vector. 0 until the first one is added. */
  dimensions = 0;
  /** What produces the vectors. Undefined: anything, until the first one is added. */
  source: Source | undefined;

  /** Opens the file, or creates it. Throws if it is from other circumstances, or has vectors of another model. */
  constructor(path: string, circumstances: Circumstances, expected?: Source) {
    this.#path = path;
    this.source = expected;
    this.#circumstances = circumstances;
    this.#file = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600);
    try {
      this.#readHead();
      if (this.#start > 0)
        for (const bytes of this.#records()) this.count += bytes.length / 4 / (this.dimensions + 1);
      ftruncateSync(this.#file, this.#end);
    } catch (reason) {
      closeSync(this.#file);
      throw reason;
    }
  }

  /** Adds the next vectors. Throws if the server has changed what produces them. */
  append(embeddings: readonly Embedding[], source: Source): void {
    const dimensions = embeddings[0]?.vector.length ?? 0;
    if (this.source) requireSame(this.source, source, this.#path);
    this.dimensions ||= dimensions;
    if (embeddings.some(({ vector }) => vector.length !== this.dimensions))
      throw new Error(
        `The server returned vectors of ${dimensions} numbers after some of ${this.dimensions}`,
      );
    if (this.#start === 0) {
      this.source = source;
      const head = { format, ...this.#circumstances, vector_size: dimensions, source };
      this.#write(Buffer.from(`${JSON.stringify(head)}\n`));
      this.#start = this.#end;
    }
    const numbers = embeddings.map(({ vector, isCut }) => Float32Array.of(...vector, Number(isCut)));
    const bytes = Buffer.concat(numbers.map(({ buffer }) => new Uint8Array(buffer)));
    const record = Buffer.alloc(recordHead);
    record.writeUInt32LE(bytes.length, 0);
    record.writeUInt32LE(crc32(bytes), 4);
    this.#write(Buffer.concat([record, bytes]));
    this.count += embeddings.length;
    if (Date.now() - this.#syncedMs >= syncEveryMs) this.sync();
  }

  sync(): void {
    fdatasyncSync(this.#file);
    this.#syncedMs = Date.now();
  }

  *embeddings(): Generator<Embedding, void> {
    const size = this.dimensions + 1;
    for (const bytes of this.#records()) {
      const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
      for (let end = size - 1; end < numbers.length; end += size)
        yield { vector: numbers.subarray(end + 1 - size, end), isCut: numbers[end] === 1 };
    }
  }

  [Symbol.dispose](): void {
    this.sync();
    closeSync(this.#file);
    if (this.#start === 0) rmSync(this.#path);
  }

  #readHead(): void {
    const head = this.#read(0, maxHeadBytes);
    const length = head.indexOf('\n') + 1;
    // A crash can leave an incomplete line. Nothing follows it.
    if (length === 0 && head.length < maxHeadBytes) return;
    const { vector_size: size, source, ...found } = fieldsOf(parsedJson(head.toString('utf8', 0, length)));
    if (found.format !== format) throw new Error(`${this.#path} is not from "embedgate embed": remove it`);
    for (const [name, value] of Object.entries(this.#circumstances)) {
      if (found[name] === value) continue;
      const differs =
        name === 'input'
          ? 'The input has changed'
          : `"${name}" was ${found[name] ?? 'not given'} and is now ${value ?? 'not given'}`;
      throw new Error(
        `${differs} since ${this.#path} was begun. Run the command as before to continue, or remove that file ` +
          'to start again',
      );
    }
    if (this.source) requireSame(this.source, source as Source, this.#path);
    Object.assign(this, { dimensions: size, source });
    this.#start = length;
    this.#end = length;
  }

  /** Yields the content of complete records, and keeps where the last one ends. */
  *#records(): Generator<Buffer> {
    const { size } = fstatSync(this.#file);
    for (let at = this.#start; at + recordHead <= size; ) {
      const head = this.#read(at, recordHead);
      const length = head.readUInt32LE(0);
      if (length === 0 || length % (4 * (this.dimensions + 1)) !== 0 || at + recordHead + length > size)
        return;
      const bytes = this.#read(at + recordHead, length);
      if (crc32(bytes) !== head.readUInt32LE(4)) return;
      at += recordHead + length;
      this.#end = at;
      yield bytes;
    }
  }

  #read(at: number, length: number): Buffer {
    // Not from the pool, because vectors must begin at a multiple of four bytes.
    const bytes = Buffer.alloc(length);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < length; filled += read)
      read = readSync(this.#file, bytes, filled, length - filled, at + filled);
    return bytes.subarray(0, filled);
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#end + done);
    this.#end += bytes.length;
  }
}
