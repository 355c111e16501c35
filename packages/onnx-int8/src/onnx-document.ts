/**
 * Reads a graph file so that it can be written again with changes: every part is a range of the file, and only the
 * parts that a conversion looks at are decoded. The numbers are the field numbers of
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3.
 */

import { type GraphNode, readNode } from './graph-node.ts';
import { elementTypes } from './onnx-file.ts';
import { FileBytes, fieldsOf, type Span, type WireField } from './protobuf-file.ts';
import { readEntry, readTensor, type StoredTensor } from './stored-tensor.ts';

export interface OnnxDocument {
  /** The graph file. */
  readonly file: string;
  readonly bytes: FileBytes;
  readonly irVersion: number;
  /** The version of each imported operator set. The standard one is ''. */
  readonly opsets: ReadonlyMap<string, number>;
  readonly nodes: readonly GraphNode[];
  /** The node that computes each value, by the value's name. */
  readonly producers: ReadonlyMap<string, GraphNode>;
  readonly initializers: ReadonlyMap<string, StoredTensor>;
  /** The names of the graph's inputs, and the part of the file that declares each. */
  readonly inputs: ReadonlyMap<string, Span>;
  readonly outputs: ReadonlyMap<string, StatedOutput>;
  /** The layout that the graph states, as JSON. A new graph doesn't state it. */
  readonly layout: string | undefined;
  /** All other fields of the model and of the graph, with their tags. */
  readonly modelRest: readonly Span[];
  readonly graphRest: readonly Span[];
}

export interface StatedOutput {
  readonly name: string;
  /** The element type, such as `float32`, or its number in ONNX. */
  readonly type: string;
  /** Empty if it is not stated. A text is a symbolic size, such as `batch`. */
  readonly shape: readonly (number | string)[];
}

const modelFields = { irVersion: 1, graph: 7, opset: 8, metadata: 14 };
/** The key in the metadata under which a file states an encoder's layout. */
export const layoutKey = 'embedgate_encoder';
const graphFields = { node: 1, initializer: 5, input: 11, output: 12 };

/** Opens a graph file. The caller closes `bytes`. Throws a RangeError when it is not an ONNX graph. */
export function openDocument(file: string): OnnxDocument {
  const bytes = new FileBytes(file);
  try {
    return readDocument(file, bytes);
  } catch (error) {
    bytes.close();
    throw error;
  }
}

function readDocument(file: string, bytes: FileBytes): OnnxDocument {
  let irVersion = 0;
  let layout: string | undefined;
  const opsets = new Map<string, number>();
  const nodes: GraphNode[] = [];
  const initializers = new Map<string, StoredTensor>();
  const inputs = new Map<string, Span>();
  const outputs = new Map<string, StatedOutput>();
  const modelRest: Span[] = [];
  const graphRest: Span[] = [];
  const readGraph = (graph: Span): void => {
    for (const { number, content, whole } of fieldsOf(bytes, graph)) {
      if (number === graphFields.node) nodes.push(readNode(bytes, content));
      else if (number === graphFields.initializer) {
        const tensor = readTensor(bytes, content);
        initializers.set(tensor.name, tensor);
      } else if (number === graphFields.input) inputs.set(nameOf(bytes, content), whole);
      else {
        const output = number === graphFields.output ? readOutput(bytes, content) : undefined;
        if (output) outputs.set(output.name, output);
        graphRest.push(whole);
      }
    }
  };
  for (const { number, value, content, whole } of fieldsOf(bytes, { from: 0, to: bytes.size })) {
    if (number === modelFields.irVersion) irVersion = value;
    else if (number === modelFields.graph) readGraph(content);
    else if (number === modelFields.opset) readOpset(bytes, content, opsets);
    else {
      const [key, text] = number === modelFields.metadata ? readEntry(bytes, content) : [];
      if (key === layoutKey) layout = text;
      else modelRest.push(whole);
    }
  }
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node])));
  const rest = { layout, modelRest, graphRest };
  return { file, bytes, irVersion, opsets, nodes, producers, initializers, inputs, outputs, ...rest };
}

function nameOf(bytes: FileBytes, span: Span): string {
  for (const { number, content } of fieldsOf(bytes, span)) {
    if (number === 1) return bytes.read(content).toString();
  }
  return '';
}

// Of a ValueInfoProto: its type, that of a tensor, and the tensor's shape.
const tensorType = [2, 1];
const tensorShape = [...tensorType, 2];

function readOutput(bytes: FileBytes, span: Span): StatedOutput {
  let type = '';
  const shape: (number | string)[] = [];
  for (const field of fieldsAt(bytes, span, tensorType)) {
    if (field.number === 1) type = nameOfType(field.value);
  }
  for (const size of fieldsAt(bytes, span, tensorShape)) {
    const [stated] = fieldsOf(bytes, size.content);
    shape.push(stated?.number === 1 ? stated.value : stated ? bytes.read(stated.content).toString() : '');
  }
  return { name: nameOf(bytes, span), type, shape };
}

const nameOfType = (type: number): string =>
  Object.entries({ ...elementTypes, float64: 11 }).find(([, number]) => number === type)?.[0] ?? String(type);

/** Yields the fields of a message inside others, which `path` leads to. */
function* fieldsAt(bytes: FileBytes, span: Span, [first, ...rest]: readonly number[]): Generator<WireField> {
  for (const field of fieldsOf(bytes, span)) {
    if (first === undefined) yield field;
    else if (field.number === first) yield* fieldsAt(bytes, field.content, rest);
  }
}

function readOpset(bytes: FileBytes, span: Span, opsets: Map<string, number>): void {
  let domain = '';
  let version = 0;
  for (const { number, value, content } of fieldsOf(bytes, span)) {
    if (number === 1) domain = bytes.read(content).toString();
    else if (number === 2) version = value;
  }
  opsets.set(domain === 'ai.onnx' ? '' : domain, version);
}
