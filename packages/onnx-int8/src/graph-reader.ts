/**
 * Reads a graph file without its weights: only the messages of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3
 * that lead to the names below. The numbers are that file's field numbers.
 */
import { FileBytes, fieldsOf, type Span } from './protobuf-file.ts';

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

/** Reads a graph file. Throws when it can't be read, and a RangeError when it is not an ONNX graph. */
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
    readMessage(bytes, { from: 0, to: bytes.size }, model, visit);
  } finally {
    bytes.close();
  }
  return { operators, weightFiles: [...weightFiles].sort(), heads };
}

function readMessage(bytes: FileBytes, span: Span, fields: Fields, visit: Visit): void {
  for (const { number, wireType, value, content } of fieldsOf(bytes, span)) {
    const kind = fields[number];
    if (wireType === 0 && kind === 'number') visit(fields, number, value);
    if (wireType !== 2) continue;
    if (kind === 'text') visit(fields, number, textOf(bytes, content));
    else if (typeof kind === 'object') readMessage(bytes, content, kind, visit);
  }
}

const textOf = (bytes: FileBytes, { from, to }: Span): string =>
  bytes.read({ from, to: Math.min(to, from + maxTextBytes) }).toString();
