/**
 * Writes ONNX models: the few messages of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 that a
 * graph with initializers needs. The numbers are that file's field numbers.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

type ElementType = 'float32' | 'int64' | 'float16';
/** A string is a symbolic dimension, such as `batch`. */
type Shape = readonly (number | string)[];
export type Attribute = { int: number } | { ints: readonly number[] } | { float: number };

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly otherOutputs?: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** Little-endian elements in row-major order. */
  readonly values: Float32Array | BigInt64Array;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: Shape;
}

export interface OnnxModel {
  readonly name: string;
  readonly opset: number;
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

const irVersion = 8;
const elementTypes = { float32: 1, int64: 7, float16: 10 } as const;
const attributeTypes = { float: 1, int: 2, ints: 7 } as const;

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
  message(writer, 8, (opset) => {
    text(opset, 1, '');
    int(opset, 2, model.opset);
  });
  return writer.finish();
}

function writeNode(writer: BinaryWriter, node: OnnxNode): void {
  for (const input of node.inputs) text(writer, 1, input);
  for (const output of [node.output, ...(node.otherOutputs ?? [])]) text(writer, 2, output);
  text(writer, 3, node.output);
  text(writer, 4, node.op);
  for (const [name, attribute] of Object.entries(node.attributes)) {
    message(writer, 5, (w) => writeAttribute(w, name, attribute));
  }
}

function writeAttribute(writer: BinaryWriter, name: string, attribute: Attribute): void {
  text(writer, 1, name);
  if ('float' in attribute) {
    writer.tag(2, WireType.Bit32).float(attribute.float);
    int(writer, 20, attributeTypes.float);
  } else if ('int' in attribute) {
    int(writer, 3, attribute.int);
    int(writer, 20, attributeTypes.int);
  } else {
    for (const value of attribute.ints) int(writer, 8, value);
    int(writer, 20, attributeTypes.ints);
  }
}

function writeTensor(writer: BinaryWriter, tensor: OnnxTensor): void {
  const { values } = tensor;
  for (const size of tensor.shape) int(writer, 1, size);
  int(writer, 2, values instanceof Float32Array ? elementTypes.float32 : elementTypes.int64);
  text(writer, 8, tensor.name);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  writer.tag(9, WireType.LengthDelimited).bytes(bytes);
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
