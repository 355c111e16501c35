import { elementTypes } from '../../onnx-writer/onnx-file.ts';
import { type FileBytes, fieldsOf, integersOf, type Span } from '../protobuf-file.ts';

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
}

/** `file` is null for the graph file itself, or relative to its directory. `to` is infinite for the end of the file. */
export interface Elements extends Span {
  readonly file: string | null;
}

const fields = { dims: 1, type: 2, floats: 4, name: 8, raw: 9, external: 13 };

export function readTensor(bytes: FileBytes, span: Span): StoredTensor {
  const shape: number[] = [];
  let type = 0;
  let name = '';
  const parts: Span[] = [];
  const external = new Map<string, string>();
  for (const field of fieldsOf(bytes, span)) {
    const { number, value, content } = field;
    if (number === fields.dims) shape.push(...integersOf(bytes, field));
    else if (number === fields.type) type = value;
    else if (number === fields.name) name = bytes.read(content).toString();
    // Packed floats are the same bytes as raw ones.
    else if (number === fields.raw || number === fields.floats) parts.push(content);
    else if (number === fields.external) external.set(...readEntry(bytes, content));
  }
  return { name, shape, type, span, elements: placeOf(parts, external) };
}

function placeOf(parts: readonly Span[], external: ReadonlyMap<string, string>): Elements | undefined {
  const file = external.get('location');
  if (file !== undefined) {
    const from = Number(external.get('offset') ?? 0);
    const length = Number(external.get('length') ?? Number.POSITIVE_INFINITY);
    return { file, from, to: from + length };
  }
  return parts.length === 1 ? { file: null, ...parts[0]! } : undefined;
}

function readEntry(bytes: FileBytes, span: Span): [string, string] {
  const texts = ['', ''];
  for (const { number, content } of fieldsOf(bytes, span)) {
    if (number === 1 || number === 2) texts[number - 1] = bytes.read(content).toString();
  }
  return [texts[0]!, texts[1]!];
}

export const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** Returns the number of bytes of a tensor's elements; 0 if it is not known. */
export function bytesOf({ elements, shape, type }: StoredTensor): number {
  if (!elements) return 0;
  const stated = elements.to - elements.from;
  if (Number.isFinite(stated)) return stated;
  return sizeOf(shape) * (type === elementTypes.float16 ? 2 : 4);
}
