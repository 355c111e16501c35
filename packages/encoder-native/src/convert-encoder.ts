import {
  bytesOf,
  type DenseLayout,
  denseOf,
  findFactors,
  layoutKey,
  type NormLayout,
  type ProductLayout,
  quantizeMatrix,
  type WrittenTensor,
  writeWeights,
} from '../../onnx-int8/src/index.ts';
import { isObject } from '../../small/src/json.ts';
import { NativeEncoder, type TokenBatch } from './native-encoder.ts';
import type { PublishedEncoder } from './published-encoder.ts';
import { productsOf } from './weights.ts';

interface EncoderConversion {
  readonly from: PublishedEncoder;
  /** The new file, in the format of safetensors. */
  readonly to: string;
  /** Typical texts. */
  readonly texts: TokenBatch;
  /** Receives the number of bytes processed, and their sum. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Only these read what a normalization has made, where single columns are large. */
const normalized = /(attention|up|widening)$/;

/**
 * Rounds a float32 encoder to int8, with a scale for each row of every input, which costs the kernel nothing that can be
 * measured. Returns the number of products. Needs a `nativeKernel`.
 */
export async function convertEncoder({ from, to, texts, onProgress }: EncoderConversion): Promise<number> {
  const { layout, stored, weights } = from;
  const isGated = Boolean(layout.layers[0]?.gate);
  const products = productsOf({ ...layout, dense: [] }).map((part) => {
    const tensor = stored(part.product.values);
    const [columns = 0, rows = 0] = tensor.shape;
    return { ...part, matrix: { tensor, rows, columns, isTransposed: true } };
  });
  const encoder = new NativeEncoder(from, 1);
  const largest = await encoder.largestInputs(texts).finally(() => encoder.close());
  const sizes = [...largest].filter(([input]) => normalized.test(input));
  const factors = await findFactors(products, new Map(sizes), weights.file);
  const written: WrittenTensor[] = [];
  const add = (name: string, values: WrittenTensor['values'], ...shape: number[]) => {
    written.push({ name, values, shape: shape.length > 0 ? shape : [values.length] });
    return name;
  };
  const keep = (name: string, as = name) => {
    const { shape, bytes } = from.tensor(name);
    return add(as, new Float32Array(new Uint8Array(bytes).buffer), ...shape);
  };
  // Each matrix is read twice.
  const total = products.reduce((sum, { matrix }) => sum + 2 * bytesOf(matrix.tensor), 0);
  let done = 0;
  const onBytes = (bytes: number) => {
    done = Math.min(total, done + bytes);
    onProgress?.(done, total);
  };
  onBytes(0);
  const source = { graphFile: weights.file, factors: undefined, onBytes };
  const converted = new Map<ProductLayout, ProductLayout>();
  for (const { name, input, product, matrix } of products) {
    const ofInput = factors.get(input);
    const { values, scales, apart } = await quantizeMatrix(matrix, {
      ...source,
      factors: ofInput,
      isTable: false,
    });
    const few = denseOf(apart, matrix.columns);
    converted.set(product, {
      values: add(name, values, matrix.rows, matrix.columns),
      scales: add(`${name}.scales`, scales),
      bias: product.bias && keep(product.bias, `${name}.bias`),
      factors: ofInput
        ? add(
            `${name}.factors`,
            ofInput.map((factor) => 1 / factor),
          )
        : null,
      rounding: input.endsWith('down') && !isGated ? 'activated' : 'rows',
      apart:
        apart.length === 0
          ? null
          : {
              rows: add(`${name}.apart_rows`, BigInt64Array.from(few.rows, BigInt)),
              values: add(`${name}.apart`, few.values, few.rows.length, matrix.columns),
            },
    });
  }
  const tensor = stored(layout.words.values);
  const [rows = 0, columns = 0] = tensor.shape;
  const table = await quantizeMatrix(
    { tensor, rows, columns, isTransposed: false },
    { ...source, isTable: true },
  );
  const words = {
    values: add('words', table.values, rows, columns),
    scales: add('words.scales', table.scales),
  };
  const norms = [
    layout.wordsNorm,
    layout.lastNorm,
    ...[...layout.layers, ...(layout.dense ?? [])].flatMap((part) => Object.values(part)),
  ].flatMap((part) => (isObject(part) && 'epsilon' in part ? [part.scale, part.bias] : []));
  const others = [layout.positions, layout.types, layout.distances, ...norms];
  for (const name of new Set(others)) if (typeof name === 'string') keep(name);
  const dense = joined(from).map(({ values, rows, columns, bias, ...others }, i): DenseLayout => {
    const name = add(`dense.${i}`, values, columns, rows);
    const product = { values: name, scales: null, bias: bias && keep(bias, `${name}.bias`), factors: null };
    return { product: { ...product, rounding: 'rows' }, columns, ...others };
  });
  const stated = JSON.stringify(
    { ...layout, words, ...(dense.length > 0 && { dense }) },
    (_, part) => converted.get(part) ?? part,
  );
  writeWeights(to, written, { [layoutKey]: stated });
  return products.length;
}

/**
 * Returns the Dense modules. They stay in float32, because each text has only one vector, and rounding them would cost
 * more than rounding all layers. Two with nothing between them become one matrix.
 */
function joined({ layout, tensor }: PublishedEncoder) {
  const all: {
    values: Float32Array;
    rows: number;
    columns: number;
    bias: string | null;
    activation: DenseLayout['activation'];
    norm?: NormLayout | null;
  }[] = [];
  for (const { product, columns: _, ...others } of layout.dense ?? []) {
    const { shape, bytes } = tensor(product.values);
    const [columns = 0, rows = 0] = shape;
    const values = new Float32Array(new Uint8Array(bytes).buffer);
    const before = all.at(-1);
    const next = { values, rows, columns, bias: product.bias, ...others };
    if (!before || before.bias || before.norm || before.activation !== 'identity') all.push(next);
    else all.splice(-1, 1, { ...next, values: multiplied(values, before.values, rows), rows: before.rows });
  }
  return all;
}

/** Returns the product of two matrices. `inner`: the columns of the first one, and the rows of the second one. */
function multiplied(a: Float32Array, b: Float32Array, inner: number): Float32Array {
  const [rows, columns] = [a.length / inner, b.length / inner];
  const result = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const sums = new Float64Array(columns);
    for (let i = 0; i < inner; i++) {
      const factor = a[row * inner + i]!;
      for (let column = 0; column < columns; column++) sums[column]! += factor * b[i * columns + column]!;
    }
    result.set(sums, row * columns);
  }
  return result;
}
