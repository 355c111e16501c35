/**
 * Reads a graph file without its weights: only the messages of
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 that lead to the names below. The numbers are that file's
 * field numbers.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { refusePointer } from './json-file.ts';

export interface GraphFacts {
  /** The names of the graph's operators. */
  readonly operators: ReadonlySet<string>;
  /** The files with weights as the graph names them, relative to its directory. */
  readonly weightFiles: readonly string[];
  /** The largest number of heads of the graph's attention operators. Undefined if it has none. */
  readonly heads: number | undefined;
}

/** The relevant fields of a message: nested messages, and the texts and numbers to visit. */
interface Fields {
  readonly [field: number]: Fields | 'text' | 'number';
}
type Visit = (fields: Fields, field: number, value: string | number) => void;

const entry: Fields = { 1: 'text', 2: 'text' };
const tensor: Fields = { 13: entry };
const sparseTensor: Fields = { 1: tensor, 2: tensor };
// Defined in two steps, because attributes contain subgraphs, which contain nodes.
const attribute: Record<number, Fields | 'text' | 'number'> = {
  1: 'text',
  3: 'number',
  5: tensor,
  10: tensor,
};
const node: Fields = { 4: 'text', 5: attribute };
const graph: Fields = { 1: node, 5: tensor, 15: sparseTensor };
Object.assign(attribute, { 6: graph, 11: graph, 22: sparseTensor, 23: sparseTensor });
const model: Fields = { 7: graph, 25: { 7: node } };

const maxTextBytes = 4_096;

/** Reads a graph file. Throws when it can't be read or is not an ONNX graph. */
export function readGraph(file: string): GraphFacts {
  const operators = new Set<string>();
  const weightFiles = new Set<string>();
  let heads: number | undefined;
  let name: string | number = '';
  const visit: Visit = (fields, field, value) => {
    if (fields === node) operators.add(String(value));
    else if (fields === entry && field === 2 && name === 'location') weightFiles.add(String(value));
    else if (fields === attribute && field === 3 && name === 'num_heads')
      heads = Math.max(heads ?? 0, Number(value));
    else name = value;
  };
  const bytes = new FileBytes(file);
  try {
    refusePointer(file, bytes.text(0, Math.min(bytes.size, maxTextBytes)));
    readMessage(bytes, { from: 0, to: bytes.size }, model, visit);
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new Error(`${file}: not an ONNX graph, or not all of one`, { cause });
    throw cause;
  } finally {
    bytes.close();
  }
  return { operators, weightFiles: [...weightFiles].sort(), heads };
}

function readMessage(
  bytes: FileBytes,
  { from, to }: { from: number; to: number },
  fields: Fields,
  visit: Visit,
): void {
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
    const tag = varint();
    const field = Math.floor(tag / 8);
    const kind = fields[field];
    const wireType = tag % 8;
    if (wireType === 0) {
      const value = varint();
      if (kind === 'number') visit(fields, field, value);
    } else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else if (wireType === 2) {
      const length = varint();
      const end = at + length;
      if (end > to) throw new RangeError('a field beyond its message');
      if (kind === 'text') visit(fields, field, bytes.text(at, Math.min(end, at + maxTextBytes)));
      else if (typeof kind === 'object') readMessage(bytes, { from: at, to: end }, kind, visit);
      at = end;
    } else throw new RangeError(`wire type ${wireType}`);
  }
}

const windowBytes = 65_536;

/** Reads a file's bytes on demand, so that weights are skipped. */
class FileBytes {
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

  text(from: number, to: number): string {
    const bytes = Buffer.alloc(to - from);
    readSync(this.#descriptor, bytes, 0, bytes.length, from);
    return bytes.toString();
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
