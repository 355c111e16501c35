/** Arranges the tensors of an encoder in the order in which `Reader` in ../native/kernel.cc reads them. */
import {
  bytesOf,
  type EncoderLayout,
  elementTypes,
  type NormLayout,
  type ProductLayout,
  type ReadableEncoder,
  type WeightTensor,
} from '../../onnx-int8/src/index.ts';

/** What an encoder computes, and with which numbers. */
export interface EncoderTensors extends Pick<ReadableEncoder, 'layout' | 'tensor'> {
  /** Undefined for a graph, whose table of words is always copied. */
  readonly place?: (name: string) => TensorPlace;
}

/** A tensor, and the file with its elements. */
export interface TensorPlace extends WeightTensor {
  readonly path: string;
}

export interface EncoderWeights {
  /** The members of `Sizes` in ../native/kernel.h, in their order. */
  readonly sizes: Int32Array;
  readonly numbers: Float32Array;
  readonly tensors: readonly Uint8Array[];
  /** The table of words, if it stays in its file. */
  readonly words: TensorPlace | undefined;
  /** The numbers of a text's vector. */
  readonly dimensions: number;
  /** What the products read, by name, and its columns. */
  readonly inputs: ReadonlyMap<string, number>;
}

/** A product, with a name of its own and that of its input. */
export interface NamedProduct {
  readonly name: string;
  readonly input: string;
  readonly product: ProductLayout;
}

/** Returns the products in the order in which the kernel reads them. */
export function productsOf({ widening, layers, dense = [] }: EncoderLayout): NamedProduct[] {
  const inputs = { queries: 'attention', keys: 'attention', values: 'attention', gate: 'up' };
  const ofLayers = layers.flatMap(({ queries, keys, values, context, gate, up, down }, i) =>
    Object.entries({ queries, keys, values, context, gate, up, down }).flatMap(([part, product]) => {
      const input = inputs[part as keyof typeof inputs] ?? part;
      return product ? [{ name: `layers.${i}.${part}`, input: `layers.${i}.${input}`, product }] : [];
    }),
  );
  const ofTexts = dense.map(({ product }, i) => ({ name: `dense.${i}`, input: `dense.${i}`, product }));
  return [
    ...(widening ? [{ name: 'widening', input: 'widening', product: widening }] : []),
    ...ofLayers,
    ...ofTexts,
  ];
}

/** What stands in the place of a scale if each row has its own: see `Reader`. */
const rounding = { rows: 0, activated: -1 };
/** In the order of `Activation` in ../native/kernel.h. */
const activations = ['gelu', 'gelu_tanh', 'silu', 'tanh', 'relu', 'identity'];
/** 256 MiB. */
const maxTurns = 1 << 26;
/** What stands for all tokens. */
const all = -1;

/** Reading a row takes about 1 µs, which is 1 % of the time of a small model with such a table. */
const leastBytesInFile = 128 << 20;

/**
 * Throws if a tensor is missing or cut, or has another type, or if a product has another shape than the layout needs. The
 * kernel checks the sizes of all others. `leastInFile`: the bytes from which on a table of words in int8 stays in its file.
 */
export function weightsOf(
  { layout, tensor, place }: EncoderTensors,
  leastInFile = leastBytesInFile,
): EncoderWeights {
  const { words, positionOffset, types, widening, layers, heads, headSize, dense = [] } = layout;
  const ofWords = words.scales === null ? undefined : place?.(words.values);
  const isInFile =
    ofWords?.type === elementTypes.int8 &&
    ofWords.shape.length === 2 &&
    bytesOf(ofWords) >= leastInFile &&
    process.platform !== 'win32';
  const table = isInFile
    ? { ...ofWords, bytes: new Uint8Array() }
    : read(words.values, words.scales === null ? 'float32' : 'int8');
  const [wordCount = 0, width = 0] = table.shape;
  const placed = layout.positions === null ? null : read(layout.positions, 'float32');
  const positionCount = layout.positionCount ?? placed?.shape[0] ?? 0;
  if (placed && placed.shape[0] !== positionCount)
    throw new Error(
      `"${layout.positions}" has ${placed.shape[0]} rows, and config.json states ${positionCount}`,
    );
  const bases = [...new Set(layers.flatMap(({ turnBase }) => turnBase ?? []))];
  const numbers: number[] = [];
  const tensors: Uint8Array[] = [];
  const addFloats = (name: string | null) => tensors.push(name === null ? new Uint8Array() : floatsOf(name));
  const addNorm = (norm: NormLayout | null | undefined) => {
    tensors.push(norm ? scaleOf(norm) : new Uint8Array());
    addFloats(norm?.bias ?? null);
    numbers.push(norm?.epsilon ?? 0);
  };
  const rowsOf = new Map<ProductLayout, number>();
  /** Returns the number of columns that are made of `rows`. */
  const addProduct = (product: ProductLayout, rows: number, stated?: number): number => {
    const isExact = product.scales === null;
    const { shape, bytes } = read(product.values, isExact ? 'float32' : 'int8');
    const columns = stated ?? shape.at(isExact ? 0 : 1) ?? 0;
    const expected = isExact ? [columns, rows] : [rows, columns];
    if (String(shape) !== String(expected))
      throw new Error(
        `the tensor "${product.values}" has the shape ${shape.join(' × ')} and not ${expected.join(' × ')}`,
      );
    rowsOf.set(product, rows);
    tensors.push(bytes);
    if (!isExact) addFloats(product.scales);
    addFloats(product.bias);
    if (isExact) return columns;
    addFloats(product.factors);
    tensors.push(apartOf(product.apart ?? null));
    numbers.push(typeof product.rounding === 'number' ? product.rounding : rounding[product.rounding]);
    return columns;
  };
  tensors.push(table.bytes);
  if (words.scales !== null) addFloats(words.scales);
  numbers.push(layout.wordFactor ?? 1);
  tensors.push(places(), secondType(), distances(), turns());
  addNorm(layout.wordsNorm);
  const hidden = widening ? addProduct(widening, width) : width;
  const [ofQueries, ofKeys] = [heads * headSize, (layout.keyHeads ?? heads) * headSize];
  let inner = 0;
  for (const layer of layers) {
    const { attentionNorm, contextResultNorm, contextNorm, upNorm, downResultNorm, norm } = layer;
    for (const some of [attentionNorm, contextResultNorm, contextNorm, upNorm, downResultNorm, norm])
      addNorm(some);
    for (const some of [layer.queryNorm, layer.keyNorm]) addNorm(some);
    numbers.push(bases.indexOf(layer.turnBase!) + 1, layer.before ?? all, layer.after ?? all);
    addProduct(layer.queries, hidden, ofQueries);
    for (const product of [layer.keys, layer.values]) addProduct(product, hidden, ofKeys);
    addProduct(layer.context, ofQueries, hidden);
    if (layer.gate) addProduct(layer.gate, hidden);
    inner = addProduct(layer.up, hidden);
    addProduct(layer.down, inner, hidden);
  }
  addNorm(layout.lastNorm);
  let dimensions = hidden;
  for (const { product, columns, activation, norm } of dense) {
    if (!activations.includes(activation)) throw new Error(`"${activation}" is not an activation`);
    numbers.push(columns, activations.indexOf(activation));
    dimensions = addProduct(product, dimensions, columns);
    addNorm(norm);
  }
  const sizes = {
    hidden,
    inner,
    heads,
    layers: layers.length,
    width,
    wordCount,
    positionCount,
    positionOffset,
    activation: activations.indexOf(layout.activation),
    headSize,
    keyHeads: layout.keyHeads ?? heads,
    isGated: Number(Boolean(layers[0]?.gate)),
    usesRootMeanSquare: Number(layout.usesRootMeanSquare ?? false),
    turns: bases.length,
    dense: dense.length,
    isScore: Number(layout.scorePooling !== undefined),
    repeats: layout.repeats ?? 1,
    widens: Number(widening !== null),
  };
  return {
    sizes: Int32Array.from(Object.values(sizes)),
    numbers: Float32Array.from(numbers),
    tensors,
    words: isInFile ? ofWords : undefined,
    dimensions,
    inputs: new Map(productsOf(layout).map(({ input, product }) => [input, rowsOf.get(product)!])),
  };

  /** Returns the positions with the vector of the first type, which all tokens have, or only that. */
  function places(): Uint8Array {
    const first = types === null ? null : new Float32Array(floatsOf(types).buffer, 0, width);
    if (!placed) return first ? new Uint8Array(first.buffer, 0, first.byteLength) : new Uint8Array();
    const sums = new Float32Array(new Uint8Array(placed.bytes).buffer);
    for (let i = 0; i < sums.length; i++) sums[i]! += first?.[i % width] ?? 0;
    return new Uint8Array(sums.buffer);
  }

  /** Returns by how much the vector of the second type differs from that of the first one. Only pairs have both. */
  function secondType(): Uint8Array {
    if (types === null || layout.scorePooling === undefined) return new Uint8Array();
    const both = new Float32Array(floatsOf(types).buffer);
    return new Uint8Array(both.subarray(width, 2 * width).map((x, i) => x - both[i]!).buffer);
  }

  /** Returns the cosines and then the sines of each position, for each base. */
  function turns(): Uint8Array {
    const half = headSize / 2;
    if (bases.length > 0 && !(bases.length * positionCount * headSize <= maxTurns))
      throw new Error(`the tables of ${positionCount} positions have more than ${maxTurns} numbers`);
    const numbers = new Float32Array(bases.length * positionCount * headSize);
    let at = 0;
    for (const base of bases) {
      const steps = Array.from({ length: half }, (_, i) => base ** (-i / half));
      for (let position = 0; position < positionCount; position++, at += headSize)
        for (const [i, step] of steps.entries()) {
          numbers[at + i] = Math.cos(position * step);
          numbers[at + half + i] = Math.sin(position * step);
        }
    }
    return new Uint8Array(numbers.buffer);
  }

  function scaleOf({ scale, scaleOffset = 0 }: NormLayout): Uint8Array {
    const numbers = new Float32Array(floatsOf(scale).buffer);
    for (let i = 0; i < numbers.length; i++) numbers[i]! += scaleOffset;
    return new Uint8Array(numbers.buffer);
  }

  /** Returns what is added to the scores of each head, from the farthest key before a query to the farthest after it. */
  function distances(): Uint8Array {
    if (!layout.distances) return new Uint8Array();
    const ofBuckets = new Float32Array(floatsOf(layout.distances).buffer);
    const [buckets = 0, columns] = tensor(layout.distances).shape;
    if (columns !== heads) throw new Error(`the tensor "${layout.distances}" has another number of heads`);
    const farthest = positionCount - positionOffset - 1;
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
