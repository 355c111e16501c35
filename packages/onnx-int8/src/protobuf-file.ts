/** Reads the fields of a file in the format of Protocol Buffers on demand, so that large fields can be skipped. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A range of a file: from the first byte to before the last one. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface WireField {
  readonly number: number;
  readonly wireType: number;
  /** The value of a varint, as a signed integer of 64 bits. 0 for the other wire types. */
  readonly value: number;
  /** The field's value. */
  readonly content: Span;
  /** The field with its tag. */
  readonly whole: Span;
}

const windowBytes = 65_536;
const varintBits = 64;

/** Yields the fields of the message in `span`. Throws a RangeError when it is not a message. */
export function* fieldsOf(bytes: FileBytes, { from, to }: Span): Generator<WireField> {
  const reader = new Reader(bytes, from);
  while (reader.at < to) {
    const start = reader.at;
    const tag = Number(reader.varint());
    const wireType = tag % 8;
    let begin = reader.at;
    let value = 0;
    if (wireType === 0) value = signed(reader.varint());
    else if (wireType === 1) reader.at += 8;
    else if (wireType === 5) reader.at += 4;
    else if (wireType === 2) {
      const length = Number(reader.varint());
      begin = reader.at;
      reader.at += length;
    } else throw new RangeError(`wire type ${wireType}`);
    if (reader.at > to) throw new RangeError('a field beyond its message');
    const content = { from: begin, to: reader.at };
    yield { number: Math.floor(tag / 8), wireType, value, content, whole: { from: start, to: reader.at } };
  }
}

/** Returns the values of a field of repeated integers, which can be packed into one field or not. */
export function integersOf(bytes: FileBytes, { wireType, value, content }: WireField): number[] {
  if (wireType === 0) return [value];
  const reader = new Reader(bytes, content.from);
  const values: number[] = [];
  while (reader.at < content.to) values.push(signed(reader.varint()));
  if (reader.at > content.to) throw new RangeError('a number beyond its field');
  return values;
}

const signed = (varint: bigint): number => Number(BigInt.asIntN(varintBits, varint));

/** A place in a file, which moves on with each number that is read. */
class Reader {
  at: number;
  readonly #bytes: FileBytes;

  constructor(bytes: FileBytes, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** Returns an unsigned integer. It is a bigint because a negative number is stored as one of 64 bits. */
  varint(): bigint {
    let value = 0n;
    for (let shift = 0; shift < varintBits; shift += 7) {
      const byte = this.#bytes.at(this.at++);
      value |= BigInt(byte & 127) << BigInt(shift);
      if (byte < 128) return value;
    }
    throw new RangeError('an endless number');
  }
}

/** Reads a file's bytes on demand, so that weights are skipped. */
export class FileBytes {
  readonly size: number;
  readonly #descriptor: number;
  readonly #window = Buffer.allocUnsafe(windowBytes);
  #start = 0;
  #end = 0;

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r');
    this.size = fstatSync(this.#descriptor).size;
  }

  at(position: number): number {
    if (position < this.#start || position >= this.#end) {
      this.#start = position;
      this.#end = position + readSync(this.#descriptor, this.#window, 0, windowBytes, position);
      if (this.#end === position) throw new RangeError('the end of the file');
    }
    return this.#window[position - this.#start]!;
  }

  /** Returns a copy of the bytes. Throws a RangeError when the file ends before. */
  read({ from, to }: Span): Buffer {
    const bytes = Buffer.allocUnsafe(to - from);
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(this.#descriptor, bytes, done, bytes.length - done, from + done);
      if (count === 0) throw new RangeError('the end of the file');
      done += count;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
