import { dirname, join } from 'node:path';
import { elementTypes } from './onnx-file.ts';
import { FileBytes, fieldsOf, integersOf, type Span } from './protobuf-file.ts';

/** A tensor in a graph file. Its elements stay where they are. */
export interface StoredTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** A number of `elementTypes`, or of a type that the conversion doesn't know. */
  readonly type: number;
  /** The tensor's message in the graph file. */
  readonly span: Span;
  /** Where the elements are, in row-major order and little-endian. Undefined if they are stored in another form. */
  readonly elements: Elements | undefined;
  /** The elements of an integer tensor that are stored as varints. */
  readonly integers: readonly number[];
}

/** `file` is null for the graph file itself, or relative to its directory. `to` is infinite if the type is unknown. */
export interface Elements extends Span {
  readonly file: string | null;
}

/** The size of an element of each type of ONNX, by its number. */
export const elementBytes: Readonly<Record<number, number>> = {
  1: 4,
  2: 1,
  3: 1,
  4: 2,
  5: 2,
  6: 4,
  7: 8,
  9: 1,
  10: 2,
  11: 8,
  12: 4,
  13: 8,
  16: 2,
};

const fields = { dims: 1, type: 2, floats: 4, int64s: 7, name: 8, raw: 9, external: 13 };

export function readTensor(bytes: FileBytes, span: Span): StoredTensor {
  const shape: number[] = [];
  let type = 0;
  let name = '';
  const parts: Span[] = [];
  const integers: number[] = [];
  const external = new Map<string, string>();
  for (const field of fieldsOf(bytes, span)) {
    const { number, value, content } = field;
    if (number === fields.dims) shape.push(...integersOf(bytes, field));
    else if (number === fields.type) type = value;
    else if (number === fields.name) name = bytes.read(content).toString();
    // Packed floats are the same bytes as raw ones.
    else if (number === fields.raw || number === fields.floats) parts.push(content);
    else if (number === fields.int64s) for (const value of integersOf(bytes, field)) integers.push(value);
    else if (number === fields.external) external.set(...readEntry(bytes, content));
  }
  const elements = placeOf(parts, external, sizeOf(shape) * (elementBytes[type] ?? Number.POSITIVE_INFINITY));
  return { name, shape, type, span, elements, integers };
}

/** The length of external data is optional. Without it, the shape states how many bytes there are. */
function placeOf(
  parts: readonly Span[],
  external: ReadonlyMap<string, string>,
  shapeBytes: number,
): Elements | undefined {
  const file = external.get('location');
  if (file !== undefined) {
    const from = Number(external.get('offset') ?? 0);
    const length = Number(external.get('length') ?? 0) || shapeBytes;
    return { file, from, to: from + length };
  }
  return parts.length === 1 ? { file: null, ...parts[0]! } : undefined;
}

export function readEntry(bytes: FileBytes, span: Span): [string, string] {
  const texts = ['', ''];
  for (const { number, content } of fieldsOf(bytes, span)) {
    if (number === 1 || number === 2) texts[number - 1] = bytes.read(content).toString();
  }
  return [texts[0]!, texts[1]!];
}

export const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** Reads the elements of a tensor. Throws an error that names the file if it doesn't have all of them. */
export function bytesIn(
  { name, shape, type, elements }: Pick<StoredTensor, 'name' | 'shape' | 'type' | 'elements'>,
  graphFile: string,
): Buffer {
  const { file, from, to } = elements ?? { file: null, from: 0, to: 0 };
  const path = file === null ? graphFile : join(dirname(graphFile), file);
  const bytes = new FileBytes(path);
  try {
    const isWhole = to - from === sizeOf(shape) * (elementBytes[type] ?? 0) && from >= 0 && to <= bytes.size;
    if (!isWhole) throw new Error(`${path} doesn't have all of the tensor "${name}"`);
    return bytes.read({ from, to });
  } finally {
    bytes.close();
  }
}

/** Returns the number of bytes of a tensor's elements; 0 if it is not known. */
export function bytesOf({ elements }: Pick<StoredTensor, 'elements'>): number {
  const bytes = elements ? elements.to - elements.from : 0;
  return Number.isFinite(bytes) ? bytes : 0;
}

/** Returns the elements of an int64 tensor in the graph file; undefined if they are not there. */
export function integersIn(tensor: StoredTensor, bytes: FileBytes): readonly number[] | undefined {
  const { type, elements, integers } = tensor;
  if (integers.length > 0) return integers;
  if (type !== elementTypes.int64 || !elements || elements.file !== null) return undefined;
  const read = bytes.read(elements);
  return Array.from({ length: read.length / 8 }, (_, i) => Number(read.readBigInt64LE(8 * i)));
}
