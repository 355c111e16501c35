/**
 * Chooses factors that make the columns of an input more alike before it is rounded. In transformers, layer
 * normalization gives a few columns numbers that are ten times larger than the others, and they set the scale of the
 * whole row. Dividing a column by a factor and multiplying the matrix's row by it changes no product. The idea is that
 * of Xiao et al., "SmoothQuant" (2023, arXiv:2211.10438), but the factors come from the weights alone.
 */
import type { GraphNode } from './graph-node.ts';
import type { OnnxDocument } from './onnx-document.ts';
import type { Product } from './products.ts';
import { largestOf } from './quantize-matrix.ts';

/** What lies between the products that write into a normalized value and those that read it. */
const passed = /^(Add|Sub|Mul|Div|Pow|Sqrt|Reciprocal|Cast|Identity|ReduceMean)$|(Layer|RMS)Normalization$/;
const normalizing = /^ReduceMean$|Normalization$/;
const largestFactor = 64;
/**
 * Values of a width stay as they are unless a matrix writes into one of their columns this many times the median.
 * Otherwise there is nothing to gain. all-MiniLM-L6-v2 has 42.
 */
const unusualSize = 8;

/**
 * Returns the factors of each input that has some other than 1: powers of two, one for each column. Dividing by them is
 * exact, and comparing decides them, so that every machine finds the same ones.
 *
 * A column is large where a product writes large numbers into it: its matrix then has an unusually large number in that
 * column. Residual connections carry it through all layers, so all matrices that write into values of one width count.
 * A factor is the square root of a column's size in these matrices, divided by that of the row in the matrices that
 * read it, because a factor takes precision from the weights. Only relative sizes matter, and no factor is below 1.
 */
export async function findFactors(
  document: OnnxDocument,
  products: readonly Product[],
): Promise<ReadonlyMap<string, Float32Array>> {
  const { file } = document;
  const byNode = new Map(products.map((product) => [product.node, product]));
  const readers = Map.groupBy(products, ({ input }) => input);
  const writers = new Map<number, Set<Product>>();
  const normalized: [string, readonly Product[]][] = [];
  for (const [input, reading] of readers) {
    const width = reading[0]!.matrix.rows;
    const found = writersOf(input, document, byNode).filter(({ matrix }) => matrix.columns === width);
    if (found.length === 0) continue;
    normalized.push([input, reading]);
    writers.set(width, (writers.get(width) ?? new Set()).union(new Set(found)));
  }
  const written = new Map<number, Float64Array>();
  for (const [width, writing] of writers) {
    const sizes = new Float64Array(width);
    for (const { matrix } of writing)
      raise(sizes, relative(Float64Array.from(await largestOf(matrix, file, 'columns'))));
    if (sizes.some((size) => size >= unusualSize)) written.set(width, sizes);
  }
  const factors = new Map<string, Float32Array>();
  for (const [input, reading] of normalized) {
    const sizes = written.get(reading[0]!.matrix.rows);
    if (!sizes) continue;
    const read = new Float64Array(sizes.length);
    for (const { matrix } of reading) raise(read, await largestOf(matrix, file, 'rows'));
    const ratios = relative(sizes.map((size, column) => size / read[column]!));
    const chosen = Float32Array.from(ratios, rootAsPowerOfTwo);
    if (chosen.some((factor) => factor !== 1)) factors.set(input, chosen);
  }
  return factors;
}

/** Returns the products from which `name` is computed through normalization; none if it is not normalized. */
function writersOf(
  name: string,
  { producers }: OnnxDocument,
  byNode: ReadonlyMap<GraphNode, Product>,
): Product[] {
  const products = new Set<Product>();
  const names = new Set([name]);
  let isNormalized = false;
  // The set grows while the loop goes through it.
  for (const next of names) {
    const node = producers.get(next);
    const product = node && byNode.get(node);
    if (product) products.add(product);
    else if (node && passed.test(node.op)) {
      isNormalized ||= normalizing.test(node.op);
      for (const input of node.inputs) names.add(input);
    }
  }
  return isNormalized ? [...products] : [];
}

function raise(sizes: Float64Array, others: Iterable<number>): void {
  let i = 0;
  for (const other of others) sizes[i] = Math.max(sizes[i++]!, other);
}

/** Divides by the median. */
function relative(sizes: Float64Array): Float64Array {
  const median = sizes.toSorted()[sizes.length >> 1]!;
  return sizes.map((size) => size / median);
}

/** Returns the power of two that is nearest to the square root, from 1 to 64; 1 for a NaN. */
function rootAsPowerOfTwo(size: number): number {
  let factor = 1;
  while (size >= 2 * factor ** 2 && factor < largestFactor) factor *= 2;
  return factor;
}
