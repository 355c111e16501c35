/**
 * Chooses factors that make the columns of an input more alike before it is rounded. In transformers, normalization
 * gives a few columns numbers that are ten times larger than the others, and they set the scale of the whole row.
 * Dividing a column by a factor and multiplying the matrix's row by it changes no product: Xiao et al., "SmoothQuant"
 * (2023, arXiv:2211.10438).
 */
import type { OnnxDocument } from './onnx-document.ts';
import type { Product } from './products.ts';
import { largestOfRows } from './quantize-matrix.ts';
import type { Matrix } from './safetensors.ts';

/** Tensors that a graph computed, by their names. */
type Values = Readonly<Record<string, { readonly dims: readonly number[]; readonly data: unknown }>>;

/** Computes typical texts with a graph, each alone, and returns the values of the named outputs for each. */
export type ComputeTexts = (graph: string, names: readonly string[]) => AsyncIterable<Values>;

/** What lies between a normalized value and the normalization. */
const passed = /^(Add|Sub|Mul|Div|Pow|Sqrt|Reciprocal|Cast|Identity)$/;
const normalizing = /^ReduceMean$|Normalization$/;
const largestFactor = 64;

/** Returns the largest size of each column of some values in all texts. */
export async function largestIn(
  names: Iterable<string>,
  texts: AsyncIterable<Values>,
): Promise<Map<string, Float32Array>> {
  const sizes = new Map<string, Float32Array>();
  for await (const values of texts) {
    for (const name of names) {
      const { dims, data } = values[name]!;
      const width = dims.at(-1)!;
      const largest = sizes.get(name) ?? new Float32Array(width);
      (data as Float32Array).forEach((value, i) => {
        largest[i % width] = Math.max(largest[i % width]!, Math.abs(value));
      });
      sizes.set(name, largest);
    }
  }
  return sizes;
}

/**
 * Returns the factors of each input in `sizes` that has some other than 1: powers of two from 1 to 64, one for each
 * column. A factor is the square root of the column's size, divided by the largest number of the row in the matrices
 * that read it, because a factor takes precision from the weights. Only relative sizes matter. Powers of two make the
 * division exact, and hide that the last digits of the sizes differ between kinds of CPU.
 */
export async function findFactors(
  products: readonly { readonly input: string; readonly matrix: Matrix }[],
  sizes: ReadonlyMap<string, Float32Array>,
  file: string,
): Promise<ReadonlyMap<string, Float32Array>> {
  const factors = new Map<string, Float32Array>();
  for (const [input, largest] of sizes) {
    const read = new Float64Array(largest.length);
    for (const { matrix } of products.filter((product) => product.input === input))
      (await largestOfRows(matrix, file)).forEach((size, row) => {
        read[row] = Math.max(read[row]!, size);
      });
    const ratios = read.map((size, column) => largest[column]! / size);
    const median = ratios.toSorted()[ratios.length >> 1]!;
    const chosen = Float32Array.from(ratios, (ratio) => rootAsPowerOfTwo(ratio / median));
    if (chosen.some((factor) => factor !== 1)) factors.set(input, chosen);
  }
  return factors;
}

/** Returns those of the inputs that are the result of a normalization. */
export function normalizedInputs(
  products: readonly Product[],
  { producers }: OnnxDocument,
): ReadonlySet<string> {
  const isNormalized = (input: string): boolean => {
    const names = new Set([input]);
    // The set grows while the loop goes through it.
    for (const name of names) {
      const node = producers.get(name);
      if (node && normalizing.test(node.op)) return true;
      if (node && passed.test(node.op)) for (const read of node.inputs) names.add(read);
    }
    return false;
  };
  return new Set(products.map(({ input }) => input).filter(isNormalized));
}

/** Returns the power of two that is nearest to the square root, from 1 to 64; 1 for a NaN. */
function rootAsPowerOfTwo(size: number): number {
  let factor = 1;
  while (size >= 2 * factor ** 2 && factor < largestFactor) factor *= 2;
  return factor;
}
