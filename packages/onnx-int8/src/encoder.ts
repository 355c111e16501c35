/**
 * Recognizes an encoder: products, normalization and activations that compute each token alone, and attention between
 * them. From its first to its last value, only attention lets a token depend on others.
 */
import { type Attention, attentionBefore } from './attention.ts';
import { type ConstantMatrix, Constants } from './constants.ts';
import type { GraphNode } from './graph-node.ts';
import { axesOf } from './one-row-per-text.ts';
import type { OnnxDocument } from './onnx-document.ts';
import type { Product } from './products.ts';
import type { StoredTensor } from './stored-tensor.ts';
import { neededValues, type Reads, readsOf } from './unused-parts.ts';

export const idsInput = 'input_ids';
/** The input of a graph that says which columns of a text are tokens. */
export const maskInput = 'attention_mask';

export interface Encoder {
  /** The first value that is computed without padding, and the last one. */
  readonly first: string;
  readonly last: string;
  /** All products of the graph, with the sums that add their biases. Each part by the name of its output. */
  readonly products: ReadonlyMap<string, Product>;
  readonly attentions: ReadonlyMap<string, Attention>;
  /** The tables of words, by the output of the node that looks them up. */
  readonly tables: ReadonlyMap<string, ConstantMatrix>;
  /** What these parts read. */
  readonly reads: Reads;
  /** The inputs of the products without padding. */
  readonly inputs: ReadonlySet<string>;
}

/** Operators that compute each row alone, if their axis is the last one. */
const rowOperators =
  /^(Add|Sub|Mul|Div|Pow|Sqrt|Reciprocal|Erf|Gelu|Relu|Tanh|Sigmoid|ReduceMean|LayerNormalization)$/;

/** Returns the encoder of a graph; undefined if a part of it is anything else. */
export function findEncoder(
  document: OnnxDocument,
  found: readonly Product[],
  tables: Encoder['tables'],
): Encoder | undefined {
  const biased = found.map((product) => withBias(product, document));
  const products = new Map(biased.map((product) => [product.output, product]));
  const attentions = new Map<string, Attention>();
  for (const { input } of products.values()) {
    const attention = attentionBefore(input, document, (name) => products.has(name));
    if (attention) attentions.set(input, attention);
  }
  const [query = ''] = [...attentions.values()].flatMap(({ reads }) => reads);
  const first = products.get(query)?.input;
  if (first === undefined || !document.inputs.has(maskInput)) return undefined;
  const reads = new Map([...readsOf(products), ...readsOfTables(tables)]);
  for (const [name, attention] of attentions) reads.set(name, attention.reads);
  const rows = rowsFrom(first, document, reads);
  const leaving = [...neededValues(document, reads)].flatMap(([name, read]) =>
    rows.has(name) ? [] : [...read],
  );
  const [last, ...others] = new Set(
    [...document.outputs.keys(), ...leaving].filter((name) => rows.has(name)),
  );
  const areAll = [...attentions.keys()].every((name) => rows.has(name));
  if (last === undefined || others.length > 0 || !areAll) return undefined;
  const inputs = new Set([...products.values()].map(({ input }) => input).filter((input) => rows.has(input)));
  return { first, last, products, attentions, tables, reads, inputs };
}

export const readsOfTables = (tables: Encoder['tables']): Reads =>
  new Map([...tables.keys()].map((name) => [name, [idsInput]]));

/** Makes the sum of a product and a vector a part of the product. */
function withBias(product: Product, document: OnnxDocument): Product {
  const { output, matrix } = product;
  const [sum, ...others] = document.nodes.filter(({ reads }) => reads.has(output));
  if (product.bias !== null || sum?.op !== 'Add' || others.length > 0) return product;
  if (document.outputs.has(output)) return product;
  const bias = sum.inputs.find((name) => shapeOf(name, document)?.join() === `${matrix.columns}`);
  return bias ? { ...product, bias, output: sum.outputs[0]! } : product;
}

const shapeOf = (name: string, document: OnnxDocument) => constantOf(name, document)?.shape;

export const constantOf = (name: string, document: OnnxDocument): StoredTensor | undefined =>
  initializerOf(name, document) ?? document.producers.get(name)?.attributes.get('value')?.tensor;

/** Returns an initializer. Exports have equal ones once, and an Identity for each other. */
export function initializerOf(
  name: string,
  { initializers, producers }: OnnxDocument,
): StoredTensor | undefined {
  const node = producers.get(name);
  return initializers.get(node?.op === 'Identity' ? node.inputs[0]! : name);
}

/** Returns the values that have a row for each token, which depends on no other token except in attention. */
function rowsFrom(first: string, document: OnnxDocument, parts: Reads): ReadonlySet<string> {
  const rows = new Set([first]);
  for (const node of document.nodes) {
    const [name = ''] = node.outputs;
    const read = parts.get(name)?.filter((input) => !isVector(input, document));
    if (read ? read.every((input) => rows.has(input)) : computesRows(node, rows, document)) rows.add(name);
  }
  return rows;
}

/** Reports whether a node computes each row from one row, and from vectors that are constant. */
function computesRows(node: GraphNode, rows: ReadonlySet<string>, document: OnnxDocument): boolean {
  const { op, attributes, inputs } = node;
  const axes = op === 'ReduceMean' ? axesOf(node, document) : [attributes.get('axis')?.int ?? -1];
  const keepsRows = axes?.join() === '-1' && attributes.get('keepdims')?.int !== 0;
  const areRows = inputs.every((name) => rows.has(name) || isVector(name, document));
  return rowOperators.test(op) && keepsRows && areRows && inputs.some((name) => rows.has(name));
}

const isVector = (name: string, document: OnnxDocument): boolean =>
  (shapeOf(name, document)?.length ?? 2) <= 1;

/** Returns the tables that words are looked up in, by the output of the node that does it. */
export function tablesOf(document: OnnxDocument): Map<string, ConstantMatrix> {
  const constants = new Constants(document);
  const tables = new Map<string, ConstantMatrix>();
  for (const { op, inputs, outputs, attributes } of document.nodes) {
    const isLookUp = op === 'Gather' && inputs[1] === idsInput && !attributes.get('axis')?.int;
    const table = isLookUp ? constants.matrix(inputs[0]!) : undefined;
    if (table && !table.isTransposed) tables.set(outputs[0]!, table);
  }
  return tables;
}
