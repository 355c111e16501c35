/** Finds the products of a graph that can be computed with int8. */
import { type ConstantMatrix, Constants } from './constants.ts';
import type { GraphNode } from './graph-node.ts';
import { oneRowPerText } from './one-row-per-text.ts';
import type { OnnxDocument } from './onnx-document.ts';
import { maxSummands } from './steps.ts';

/** A product of an input with a constant matrix. */
export interface Product {
  readonly node: GraphNode;
  readonly input: string;
  /** If the input is a Relu that only products read: the input of the Relu, which is then not needed. */
  readonly rectified: string | null;
  readonly matrix: ConstantMatrix;
  /** A factor of the product. */
  readonly alpha: number;
  /** What is added to the product; null if nothing is. */
  readonly bias: string | null;
  readonly output: string;
}

/** Operators of graphs that are quantized already. */
const quantized = /^(Dynamic)?Quantize|^Dequantize|^QLinear|^QGemm|^QAttention|Integer|NBits|QMoE|BnB4/;

/** Returns the names of the operators that show that a graph is quantized. */
export function quantizedOperators({ nodes }: OnnxDocument): string[] {
  return [...new Set(nodes.map(({ op }) => op).filter((op) => quantized.test(op)))].sort();
}

export function findProducts(document: OnnxDocument): Product[] {
  const constants = new Constants(document);
  const pooled = oneRowPerText(document);
  const products = document.nodes
    .flatMap((node) => productOf(node, constants) ?? [])
    .filter(({ input, matrix }) => !pooled.has(input) && matrix.rows <= maxSummands);
  const relus = relusOnlyFor(products, document);
  return products.map((product) => ({ ...product, rectified: relus.get(product.input) ?? null }));
}

/** Returns the Relus that only products read: output → input. */
function relusOnlyFor(
  products: readonly Omit<Product, 'rectified'>[],
  { nodes, outputs }: OnnxDocument,
): Map<string, string> {
  const relus = new Map<string, string>();
  for (const { op, domain, inputs, outputs: made } of nodes) {
    if (op === 'Relu' && domain === '' && !outputs.has(made[0]!)) relus.set(made[0]!, inputs[0]!);
  }
  const replaced = new Set(products.map(({ node }) => node));
  for (const node of nodes) {
    for (const name of node.reads) {
      if (!replaced.has(node) || node.inputs.lastIndexOf(name) !== 0) relus.delete(name);
    }
  }
  return relus;
}

function productOf(node: GraphNode, constants: Constants): Omit<Product, 'rectified'> | undefined {
  const [input, weights, bias] = node.inputs;
  const [output] = node.outputs;
  if (node.domain !== '' || !input || !weights || !output) return undefined;
  // A product of two constants is computed once, when the graph is loaded.
  if (node.op !== 'MatMul' && node.op !== 'Gemm') return undefined;
  const matrix = constants.matrix(weights);
  if (!matrix || constants.matrix(input)) return undefined;
  if (node.op === 'MatMul') return { node, input, matrix, alpha: 1, bias: null, output };
  const { attributes } = node;
  const flag = (name: string) => (attributes.get(name)?.int ?? 0) !== 0;
  const factor = (name: string) => attributes.get(name)?.float ?? 1;
  if (flag('transA') || (bias && factor('beta') !== 1)) return undefined;
  const { rows, columns, isTransposed } = matrix;
  const asRead = flag('transB')
    ? { ...matrix, rows: columns, columns: rows, isTransposed: !isTransposed }
    : matrix;
  return { node, input, matrix: asRead, alpha: factor('alpha'), bias: bias || null, output };
}
