import { type FileBytes, fieldsOf, integersOf, type Span } from './protobuf-file.ts';
import { readTensor, type StoredTensor } from './stored-tensor.ts';

/** A node of a graph, decoded as far as a conversion needs it. */
export interface GraphNode {
  /** The node's message in the file. */
  readonly span: Span;
  readonly op: string;
  /** '' is the standard operator set. */
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, NodeAttribute>;
  /** All names that the node reads, including those in its subgraphs. */
  readonly reads: ReadonlySet<string>;
}

export interface NodeAttribute {
  readonly int?: number;
  readonly float?: number;
  readonly ints?: readonly number[];
  readonly tensor?: StoredTensor;
}

const nodeFields = { input: 1, output: 2, op: 4, attribute: 5, domain: 7 };
const attributeFields = { name: 1, float: 2, int: 3, tensor: 5, graph: 6, ints: 8, graphs: 11 };
const graphNode = 1;

export function readNode(bytes: FileBytes, span: Span): GraphNode {
  let [op, domain] = ['', ''];
  const inputs: string[] = [];
  const outputs: string[] = [];
  const attributes = new Map<string, NodeAttribute>();
  const inner: string[] = [];
  for (const { number, content } of fieldsOf(bytes, span)) {
    const text = () => bytes.read(content).toString();
    if (number === nodeFields.input) inputs.push(text());
    else if (number === nodeFields.output) outputs.push(text());
    else if (number === nodeFields.op) op = text();
    else if (number === nodeFields.domain) domain = text();
    else if (number === nodeFields.attribute) readAttribute(bytes, content, attributes, inner);
  }
  const reads = new Set([...inputs, ...inner].filter(Boolean));
  return { span, op, domain: domain === 'ai.onnx' ? '' : domain, inputs, outputs, attributes, reads };
}

function readAttribute(
  bytes: FileBytes,
  span: Span,
  attributes: Map<string, NodeAttribute>,
  inner: string[],
): void {
  let name = '';
  let attribute: NodeAttribute = {};
  const ints: number[] = [];
  for (const field of fieldsOf(bytes, span)) {
    const { number, value, content } = field;
    if (number === attributeFields.name) name = bytes.read(content).toString();
    else if (number === attributeFields.int) attribute = { int: value };
    else if (number === attributeFields.float) attribute = { float: bytes.read(content).readFloatLE() };
    else if (number === attributeFields.ints) for (const value of integersOf(bytes, field)) ints.push(value);
    else if (number === attributeFields.tensor) attribute = { tensor: readTensor(bytes, content) };
    else if (number === attributeFields.graph || number === attributeFields.graphs) {
      for (const part of fieldsOf(bytes, content)) {
        if (part.number !== graphNode) continue;
        for (const name of readNode(bytes, part.content).reads) inner.push(name);
      }
    }
  }
  attributes.set(name, ints.length > 0 ? { ints } : attribute);
}
