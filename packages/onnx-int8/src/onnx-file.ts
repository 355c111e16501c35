/**
 * Writes ONNX models: the few messages of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 that a
 * graph with initializers needs. The numbers are that file's field numbers.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

type ElementType = keyof typeof elementTypes;
/** A string is a symbolic dimension, such as `batch`. */
type Shape = readonly (number | string)[];
export type Attribute =
  | { int: number }
  | { ints: readonly number[] }
  | { float: number }
  | { tensor: OnnxTensor | ExternalTensor };

export interface OnnxNode {
  readonly op: string;
  /** The operator set. Default: the standard one. */
  readonly domain?: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly otherOutputs?: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** Little-endian elements in row-major order. */
  readonly values: Float32Array | BigInt64Array | Float16Array | Int8Array | Uint8Array;
}

/** A tensor without its elements. */
export interface TensorHead {
  readonly name: string;
  readonly shape: readonly number[];
  /** The number of the element type in ONNX. */
  readonly type: number;
}

/** A tensor whose elements are in another file. */
export interface ExternalTensor extends TensorHead {
  /** The file, relative to the graph's directory. */
  readonly location: string;
  readonly offset: number;
  readonly length: number;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: Shape;
}

export interface OnnxModel {
  readonly name: string;
  readonly opset: number;
  /** The version of each further operator set, such as `com.microsoft`. */
  readonly otherOpsets?: Readonly<Record<string, number>>;
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly (OnnxTensor | ExternalTensor)[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

/** The operator set that ONNX Runtime adds to the standard one. */
export const microsoft = 'com.microsoft';
const irVersion = 8;
/** `TensorProto.EXTERNAL`. */
const externalLocation = 1;
export const elementTypes = { float32: 1, uint8: 2, int8: 3, int64: 7, float16: 10, bfloat16: 16 } as const;
const attributeTypes = { float: 1, int: 2, tensor: 4, ints: 7 } as const;

type Write = (writer: BinaryWriter) => void;

/** The bytes of the model's file. */
export function encodeOnnxModel(model: OnnxModel): Uint8Array {
  const writer = new BinaryWriter();
  int(writer, 1, irVersion);
  text(writer, 2, 'embedgate');
  message(writer, 7, (graph) => {
    for (const node of model.nodes) message(graph, 1, (w) => writeNode(w, node));
    text(graph, 2, model.name);
    for (const tensor of model.initializers) message(graph, 5, (w) => writeTensor(w, tensor));
    for (const input of model.inputs) message(graph, 11, (w) => writeValue(w, input));
    for (const output of model.outputs) message(graph, 12, (w) => writeValue(w, output));
  });
  for (const [domain, version] of Object.entries({ '': model.opset, ...model.otherOpsets })) {
    writeOpset(writer, domain, version);
  }
  return writer.finish();
}

/** The fields of a model and of its graph that `encoded` can make. */
export const fieldNumbers = { irVersion: 1, graph: 7, opset: 8, node: 1, initializer: 5 } as const;

/** Returns the bytes of single fields, for a file that is written in parts. */
export const encoded = {
  /** Returns the tag and the length of a field that holds `bytes` bytes. */
  header: (field: number, bytes: number): Uint8Array =>
    new BinaryWriter().tag(field, WireType.LengthDelimited).uint64(bytes).finish(),
  irVersion: (version: number): Uint8Array => finished((w) => int(w, fieldNumbers.irVersion, version)),
  opset: (domain: string, version: number): Uint8Array => finished((w) => writeOpset(w, domain, version)),
  /** Returns an entry of the model's metadata. */
  metadata: (key: string, value: string): Uint8Array => finished((w) => writeEntry(w, 14, key, value)),
  node: (node: OnnxNode): Uint8Array =>
    finished((w) => message(w, fieldNumbers.node, (inner) => writeNode(inner, node))),
  /** Returns an output of the graph. ONNX Runtime finds its type and shape. */
  output: (name: string): Uint8Array => finished((w) => message(w, 12, (inner) => text(inner, 1, name))),
  tensor: (tensor: OnnxTensor): Uint8Array =>
    finished((w) => message(w, fieldNumbers.initializer, (inner) => writeTensor(inner, tensor))),
  /** Returns a tensor that has no elements, because a dimension is 0. */
  emptyTensor: (tensor: TensorHead): Uint8Array =>
    finished((w) =>
      message(w, fieldNumbers.initializer, (inner) => writeElements(inner, tensor, new Uint8Array())),
    ),
  externalTensor: (tensor: ExternalTensor): Uint8Array =>
    finished((w) => message(w, fieldNumbers.initializer, (inner) => writeExternalTensor(inner, tensor))),
};

function finished(write: Write): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

function writeOpset(writer: BinaryWriter, domain: string, version: number): void {
  message(writer, 8, (opset) => {
    text(opset, 1, domain);
    int(opset, 2, version);
  });
}

function writeNode(writer: BinaryWriter, node: OnnxNode): void {
  for (const input of node.inputs) text(writer, 1, input);
  for (const output of [node.output, ...(node.otherOutputs ?? [])]) text(writer, 2, output);
  text(writer, 3, node.output);
  text(writer, 4, node.op);
  for (const [name, attribute] of Object.entries(node.attributes)) {
    message(writer, 5, (w) => writeAttribute(w, name, attribute));
  }
  if (node.domain) text(writer, 7, node.domain);
}

function writeAttribute(writer: BinaryWriter, name: string, attribute: Attribute): void {
  text(writer, 1, name);
  if ('float' in attribute) {
    writer.tag(2, WireType.Bit32).float(attribute.float);
    int(writer, 20, attributeTypes.float);
  } else if ('int' in attribute) {
    int(writer, 3, attribute.int);
    int(writer, 20, attributeTypes.int);
  } else if ('tensor' in attribute) {
    message(writer, 5, (w) => writeTensor(w, attribute.tensor));
    int(writer, 20, attributeTypes.tensor);
  } else {
    for (const value of attribute.ints) int(writer, 8, value);
    int(writer, 20, attributeTypes.ints);
  }
}

function writeTensor(writer: BinaryWriter, tensor: OnnxTensor | ExternalTensor): void {
  if (!('values' in tensor)) {
    writeExternalTensor(writer, tensor);
    return;
  }
  const { name, shape, values } = tensor;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  writeElements(writer, { name, shape, type: elementTypes[typeOf(values)] }, bytes);
}

function writeElements(writer: BinaryWriter, head: TensorHead, bytes: Uint8Array): void {
  writeHead(writer, head);
  writer.tag(9, WireType.LengthDelimited).bytes(bytes);
}

function writeHead(writer: BinaryWriter, { name, shape, type }: TensorHead): void {
  for (const size of shape) int(writer, 1, size);
  int(writer, 2, type);
  text(writer, 8, name);
}

function typeOf(values: OnnxTensor['values']): ElementType {
  if (values instanceof Float32Array) return 'float32';
  if (values instanceof Float16Array) return 'float16';
  if (values instanceof Int8Array) return 'int8';
  return values instanceof Uint8Array ? 'uint8' : 'int64';
}

function writeExternalTensor(writer: BinaryWriter, tensor: ExternalTensor): void {
  writeHead(writer, tensor);
  const { location, offset, length } = tensor;
  for (const [key, value] of Object.entries({ location, offset, length })) {
    writeEntry(writer, 13, key, String(value));
  }
  int(writer, 14, externalLocation);
}

function writeEntry(writer: BinaryWriter, field: number, key: string, value: string): void {
  message(writer, field, (entry) => {
    text(entry, 1, key);
    text(entry, 2, value);
  });
}

function writeValue(writer: BinaryWriter, value: OnnxValue): void {
  text(writer, 1, value.name);
  message(writer, 2, (type) =>
    message(type, 1, (tensor) => {
      int(tensor, 1, elementTypes[value.type]);
      message(tensor, 2, (shape) => {
        for (const size of value.shape) {
          message(shape, 1, (w) => (typeof size === 'number' ? int(w, 1, size) : text(w, 2, size)));
        }
      });
    }),
  );
}

function message(writer: BinaryWriter, field: number, write: Write): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}

function int(writer: BinaryWriter, field: number, value: number): void {
  writer.tag(field, WireType.Varint).int64(value);
}
