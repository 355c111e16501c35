/** Arranges the tensors of an encoder in the order in which `Reader` in ../native/kernel.cc reads them. */
import {
  elementTypes,
  type NormLayout,
  type ProductLayout,
  type ReadableEncoder,
} from '../../onnx-int8/src/index.ts';

/** What an encoder computes, and with which numbers. */
export type EncoderTensors = Pick<ReadableEncoder, 'layout' | 'tensor'>;

export interface EncoderWeights {
  /** The members of `Sizes` in ../native/kernel.h, in their order. */
  readonly sizes: Int32Array;
  readonly numbers: Float32Array;
  readonly tensors: readonly Uint8Array[];
}

/** What stands in the place of a scale if each row has its own: see `Reader`. */
const rounding = { rows: 0, activated: -1 };

/** Throws if a tensor is missing or cut, or has another type. The kernel checks the sizes. */
export function weightsOf({ layout, tensor }: EncoderTensors): EncoderWeights {
  const { words, positions, positionOffset, types, wordsNorm, widening, layers, heads, headSize } = layout;
  const usesTanh = ['gelu', 'gelu_tanh'].indexOf(layout.activation);
  const table = read(words.values, words.scales === null ? 'float32' : 'int8');
  const [wordCount = 0, width = 0] = table.shape;
  const placed = read(positions, 'float32');
  const numbers: number[] = [];
  const tensors: Uint8Array[] = [];
  const addFloats = (name: string) => tensors.push(floatsOf(name));
  const addNorm = ({ scale, bias, epsilon }: NormLayout) => {
    for (const name of [scale, bias]) addFloats(name);
    numbers.push(epsilon);
  };
  /** Returns the shape of the matrix. */
  const addProduct = (product: ProductLayout): readonly number[] => {
    if (product.scales === null) {
      const { shape } = read(product.values, 'float32');
      for (const name of [product.values, product.bias]) addFloats(name);
      return shape.toReversed();
    }
    const { shape, bytes } = read(product.values, 'int8');
    tensors.push(bytes);
    for (const name of [product.scales, product.bias]) addFloats(name);
    if (product.factors === null) tensors.push(new Uint8Array());
    else addFloats(product.factors);
    tensors.push(apartOf(product.apart ?? null));
    numbers.push(typeof product.rounding === 'number' ? product.rounding : rounding[product.rounding]);
    return shape;
  };
  if (words.scales === null) addFloats(words.values);
  else {
    tensors.push(table.bytes);
    addFloats(words.scales);
  }
  tensors.push(places(), distances());
  addNorm(wordsNorm);
  if (widening) addProduct(widening);
  let [hidden = 0, inner = 0]: readonly number[] = [];
  for (const layer of layers) {
    for (const product of [layer.queries, layer.keys, layer.values, layer.context]) addProduct(product);
    addNorm(layer.contextNorm);
    [hidden = 0, inner = 0] = addProduct(layer.up);
    addProduct(layer.down);
    addNorm(layer.norm);
  }
  const [positionCount = 0] = placed.shape;
  if (heads * headSize !== hidden) throw new Error('the heads have another width than the layers');
  const sizes = [
    hidden,
    inner,
    heads,
    layers.length,
    width,
    wordCount,
    positionCount,
    positionOffset,
    usesTanh,
  ];
  return { sizes: Int32Array.from(sizes), numbers: Float32Array.from(numbers), tensors };

  /** Returns the positions with the vector of the first type, which all tokens have. */
  function places(): Uint8Array {
    const sums = new Float32Array(new Uint8Array(placed.bytes).buffer);
    const first =
      types === null ? new Float32Array(width) : new Float32Array(floatsOf(types).buffer, 0, width);
    for (let i = 0; i < sums.length; i++) sums[i]! += first[i % width]!;
    return new Uint8Array(sums.buffer);
  }

  /** Returns what is added to the scores of each head, from the farthest key before a query to the farthest after it. */
  function distances(): Uint8Array {
    if (!layout.distances) return new Uint8Array();
    const ofBuckets = new Float32Array(floatsOf(layout.distances).buffer);
    const [buckets = 0, columns] = tensor(layout.distances).shape;
    if (columns !== heads) throw new Error(`the tensor "${layout.distances}" has another number of heads`);
    const farthest = placed.shape[0]! - positionOffset - 1;
    const added = new Float32Array(heads * (2 * farthest + 1));
    for (let at = 0; at < added.length; at++) {
      const [head, distance] = [Math.floor(at / (2 * farthest + 1)), (at % (2 * farthest + 1)) - farthest];
      added[at] = ofBuckets[bucketOf(distance, buckets) * heads + head]!;
    }
    return new Uint8Array(added.buffer);
  }

  /** Returns a row, a column and a weight for each weight apart, by columns. */
  function apartOf(names: ProductLayout['apart']): Uint8Array {
    if (!names) return new Uint8Array();
    const rows = new BigInt64Array(new Uint8Array(read(names.rows, 'int64').bytes).buffer);
    const values = new Float32Array(floatsOf(names.values).buffer);
    const [count, columns] = [rows.length, values.length / rows.length];
    const found = Array.from(values.keys(), (i) => [i % count, Math.floor(i / count)] as const)
      .map(([line, column]) => ({ row: Number(rows[line]), column, value: values[line * columns + column]! }))
      .filter(({ value }) => value !== 0);
    const bytes = new DataView(new ArrayBuffer(found.length * 12));
    found.forEach(({ row, column, value }, i) => {
      bytes.setInt32(12 * i, row, true);
      bytes.setInt32(12 * i + 4, column, true);
      bytes.setFloat32(12 * i + 8, value, true);
    });
    return new Uint8Array(bytes.buffer);
  }

  /** Returns a copy, which is aligned. */
  function floatsOf(name: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(read(name, 'float32').bytes);
  }

  function read(name: string, type: 'int8' | 'int64' | 'float32') {
    const found = tensor(name);
    if (found.type !== elementTypes[type]) throw new Error(`the tensor "${name}" is not ${type}`);
    return found;
  }
}

/** From this distance on, all have one bucket. */
const farthestBucket = 128;

/**
 * Returns the bucket of the distance from a query to a key, as T5 counts them: half of them are for keys after the
 * query, and half of these have one distance each. The others grow by powers.
 */
function bucketOf(distance: number, buckets: number): number {
  const [half, size] = [buckets / 2, Math.abs(distance)];
  const single = half / 2;
  const grown =
    single + Math.floor((Math.log2(size / single) / Math.log2(farthestBucket / single)) * (half - single));
  return (distance > 0 ? half : 0) + (size < single ? size : Math.min(grown, half - 1));
}
