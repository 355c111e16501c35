import type { GraphNode } from './graph-node.ts';
import type { OnnxDocument } from './onnx-document.ts';
import { integersIn } from './stored-tensor.ts';

/** Reductions whose result depends on the order of the numbers, which padding can change. */
const sums = /^Reduce(Sum|Mean|L1|L2|LogSum|LogSumExp|SumSquare|Prod)$/;
/** The axis of tokens in texts × tokens × width, counted from both ends. */
const tokenAxes = [1, -2];

/**
 * Returns the names of values that have one row for each text: what was pooled over the tokens of a text, or taken from
 * one of them, and everything after that. Products of them are small and stay in float32: a sum over tokens can differ
 * in the last digit with the padding, which rounding to int8 would enlarge.
 */
export function oneRowPerText(document: OnnxDocument): ReadonlySet<string> {
  const vectors = new Set<string>();
  const pooled = new Set<string>();
  // A graph lists its nodes in the order of their dependencies.
  for (const node of document.nodes) {
    const isOfVectors = looksUp(node, document) || [...node.reads].some((name) => vectors.has(name));
    if (!isOfVectors) continue;
    const isPooled = poolsTokens(node, document) || [...node.reads].some((name) => pooled.has(name));
    for (const name of node.outputs) {
      vectors.add(name);
      if (isPooled) pooled.add(name);
    }
  }
  return pooled;
}

/** Reports whether a node looks up vectors in a table. */
function looksUp({ op, inputs }: GraphNode, { initializers }: OnnxDocument): boolean {
  return op === 'Gather' && initializers.get(inputs[0] ?? '')?.shape.length === 2;
}

function poolsTokens(node: GraphNode, document: OnnxDocument): boolean {
  const { op, attributes } = node;
  if (op === 'Gather') return tokenAxes.includes(attributes.get('axis')?.int ?? 0);
  if (!sums.test(op)) return false;
  const axes = axesOf(node, document);
  return axes === undefined || axes.some((axis) => tokenAxes.includes(axis));
}

/** Returns the axes of a reduction; undefined if it reduces all, or if they are not constant. */
function axesOf(
  { attributes, inputs }: GraphNode,
  { initializers, producers, bytes }: OnnxDocument,
): readonly number[] | undefined {
  const stated = attributes.get('axes')?.ints;
  const name = inputs[1];
  if (stated || !name) return stated;
  const producer = producers.get(name);
  const constant = producer?.op === 'Constant' ? producer.attributes : undefined;
  const tensor = initializers.get(name) ?? constant?.get('value')?.tensor;
  return tensor ? integersIn(tensor, bytes) : constant?.get('value_ints')?.ints;
}
