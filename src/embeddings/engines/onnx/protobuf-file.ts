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
  let at = from;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes.at(at++);
      value += (byte & 127) * shift;
      if (byte < 128) return value;
      if (shift > 2 ** 63) throw new RangeError('an endless number');
    }
  };
  while (at < to) {
    const start = at;
    const tag = varint();
    const wireType = tag % 8;
    let begin = at;
    let value = 0;
    if (wireType === 0) value = signed(varint(), bytes, begin);
    else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else if (wireType === 2) {
      const length = varint();
      begin = at;
      at += length;
    } else throw new RangeError(`wire type ${wireType}`);
    if (at > to) throw new RangeError('a field beyond its message');
    const content = { from: begin, to: at };
    yield { number: Math.floor(tag / 8), wireType, value, content, whole: { from: start, to: at } };
  }
}

/** Returns the values of a field of repeated integers, which can be packed into one field or not. */
export function integersOf(bytes: FileBytes, { wireType, value, content }: WireField): number[] {
  if (wireType === 0) return [value];
  const packed = bytes.read(content);
  const values: number[] = [];
  for (let at = 0; at < packed.length; ) {
    let whole = 0n;
    for (let shift = 0n; at < packed.length; shift += 7n) {
      const byte = packed[at++]!;
      whole |= BigInt(byte & 127) << shift;
      if (byte < 128) break;
    }
    values.push(Number(BigInt.asIntN(varintBits, whole)));
  }
  return values;
}

/** Returns the exact value of a varint. A negative one has ten bytes, more than a number can hold. */
function signed(rounded: number, bytes: FileBytes, from: number): number {
  if (rounded < 2 ** 63) return rounded;
  let value = 0n;
  for (let i = 0; ; i++) {
    const byte = bytes.at(from + i);
    value |= BigInt(byte & 127) << BigInt(7 * i);
    if (byte < 128) return Number(BigInt.asIntN(varintBits, value));
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
