/**
 * Recognizes attention: softmax(Q · Kᵀ ÷ √size) · V for each head. Exporters write its scaling, its mask and the moves of
 * its heads in many ways. So the graph only shows where it may be, and the numbers of a text show whether it is.
 */
import type { OnnxDocument } from './onnx-document.ts';

export interface Attention {
  /** Queries, keys and values: texts × tokens × width. */
  readonly reads: readonly string[];
  /** The result of the softmax: texts × heads × tokens × tokens. */
  readonly shares: string;
}

/** Tensors that a graph computed, by their names. */
export type Values = Readonly<Record<string, { readonly dims: readonly number[]; readonly data: unknown }>>;

export interface Heads {
  readonly count: number;
  readonly size: number;
}

const passed = /^(Reshape|Transpose|Mul|Div|Add|Where)$/;
/** The largest distance of values that are taken as equal. */
export const tolerance = 1e-3;

/** Returns what may be attention whose result is `context`. `isProduct` tells queries, keys and values. */
export function attentionBefore(
  context: string,
  { producers }: OnnxDocument,
  isProduct: (name: string) => boolean,
): Attention | undefined {
  /** Returns the nearest value with a property that `from` is computed from. */
  const nearest = (from: string, isSought: (name: string) => boolean): string => {
    const names = new Set([from]);
    // The set grows while the loop goes through it.
    for (const name of names) {
      if (isSought(name)) return name;
      const node = producers.get(name);
      if (node && passed.test(node.op)) for (const input of node.inputs) names.add(input);
    }
    return '';
  };
  const nearestOf = (from: string, op: string) => nearest(from, (name) => producers.get(name)?.op === op);
  const inputsOf = (name: string) => producers.get(name)?.inputs ?? [];
  const [weights = '', values = ''] = inputsOf(nearestOf(context, 'MatMul'));
  const shares = nearestOf(weights, 'Softmax');
  const [scores = ''] = inputsOf(shares);
  const [queries = '', keys = ''] = inputsOf(nearestOf(scores, 'MatMul'));
  const reads = [queries, keys, values].map((name) => nearest(name, isProduct));
  return reads.every(Boolean) ? { reads, shares } : undefined;
}

/** Reports whether `context` is the usual attention of what it reads. */
export function isUsual({ reads }: Attention, context: string, values: Values, heads: Heads): boolean {
  const [actual, ...inputs] = [context, ...reads].map((name) => values[name]!.data as Float32Array);
  return distance(actual!, attend(inputs, heads)) <= tolerance;
}

/** Returns the largest difference, relative to the largest number; infinity if a number is missing or a NaN. */
export function distance(actual: Float32Array, expected: Float32Array | Float64Array): number {
  let [most, largest] = [0, 0];
  actual.forEach((value, i) => {
    // Math.max keeps a NaN.
    most = Math.max(most, Math.abs(value - expected[i]!));
    largest = Math.max(largest, Math.abs(value));
  });
  return Number.isNaN(most) ? Number.POSITIVE_INFINITY : most / (largest || 1);
}

function attend(inputs: readonly Float32Array[], { count, size }: Heads): Float64Array {
  const [queries, keys, values] = [inputs[0]!, inputs[1]!, inputs[2]!];
  const width = count * size;
  const result = new Float64Array(queries.length);
  for (let at = 0; at < queries.length; at += size) {
    let sum = 0;
    for (let from = at % width; from < keys.length; from += width) {
      let score = 0;
      for (let i = 0; i < size; i++) score += queries[at + i]! * keys[from + i]!;
      const weight = Math.exp(score / Math.sqrt(size));
      sum += weight;
      for (let i = 0; i < size; i++) result[at + i]! += weight * values[from + i]!;
    }
    for (let i = 0; i < size; i++) result[at + i]! /= sum;
  }
  return result;
}
