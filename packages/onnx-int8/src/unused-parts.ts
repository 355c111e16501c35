import type { GraphNode } from './graph-node.ts';
import type { OnnxDocument } from './onnx-document.ts';
import type { Product } from './products.ts';

/** What nothing reads any more after products were replaced: nodes, and initializers by name. */
export interface UnusedParts {
  readonly nodes: ReadonlySet<GraphNode>;
  readonly names: ReadonlySet<string>;
}

/** Follows the matrices of the replaced products back through the nodes that prepared them. */
export function unusedParts(document: OnnxDocument, products: readonly Product[]): UnusedParts {
  const replaced = new Set(products.map(({ node }) => node));
  const readers = new Map<string, number>();
  const count = (name: string, change: number): number => {
    const readersLeft = (readers.get(name) ?? 0) + change;
    readers.set(name, readersLeft);
    return readersLeft;
  };
  for (const node of document.nodes) for (const name of node.reads) count(name, 1);
  const nodes = new Set<GraphNode>();
  const names = new Set<string>();
  const release = (name: string): void => {
    if (count(name, -1) > 0 || document.outputs.has(name)) return;
    if (document.initializers.has(name)) names.add(name);
    const producer = document.producers.get(name);
    if (!producer || replaced.has(producer) || producer.outputs.length > 1) return;
    nodes.add(producer);
    for (const read of producer.reads) release(read);
  };
  for (const { node, input, rectified } of products) {
    // A Gemm can add the tensor that it multiplies by.
    if (node.inputs[2] !== node.inputs[1]) release(node.inputs[1]!);
    if (rectified !== null) nodes.add(document.producers.get(input)!);
  }
  return { nodes, names };
}
