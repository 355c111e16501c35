/** Arranges the tensors of an encoder in the order in which `Reader` in ../native/kernel.cc reads them. */
import {
  elementTypes,
  type NormLayout,
  type ProductLayout,
  type ReadableEncoder,
} from '../../onnx-int8/src/index.ts';

export interface Weights {
  /** The members of `Sizes` in ../native/kernel.h, in their order. */
  readonly sizes: Int32Array;
  readonly numbers: Float32Array;
  readonly tensors: readonly Uint8Array[];
}

/** Kinds of rounding in the place of a scale. */
const rounding = { rows: 0, activated: -1 };

export function weightsOf({ layout, tensor }: ReadableEncoder): Weights {
  const { words, positions, positionOffset, types, wordsNorm, widening, layers, heads, activation } = layout;
  const numbers: number[] = [];
  const tensors: Uint8Array[] = [];

  const add = (name: string) => tensors.push(alignedBytes(tensor(name)));
  const addNorm = ({ scale, bias, epsilon }: NormLayout) => {
    for (const name of [scale, bias]) add(name);
    numbers.push(epsilon);
  };
  const addProduct = (product: ProductLayout) => {
    for (const name of [product.values, product.scales, product.bias]) add(name);
    if (product.factors === null) tensors.push(new Uint8Array());
    else add(product.factors);
    numbers.push(typeof product.rounding === 'number' ? product.rounding : rounding[product.rounding]);
  };
  add(words.values);
  add(words.scales);
  tensors.push(places());
  addNorm(wordsNorm);
  if (widening) addProduct(widening);
  for (const layer of layers) {
    for (const product of [layer.queries, layer.keys, layer.values, layer.context]) addProduct(product);
    addNorm(layer.contextNorm);
    for (const product of [layer.up, layer.down]) addProduct(product);
    addNorm(layer.norm);
  }
  const [hidden = 0, inner = 0] = layers[0] ? tensor(layers[0].up.values).shape : [];
  const [wordCount = 0, width = 0] = tensor(words.values).shape;
  const [positionCount = 0] = tensor(positions).shape;
  const tanh = Number(activation === 'gelu_tanh');
  const sizes = [hidden, inner, heads, layers.length, width, wordCount, positionCount, positionOffset, tanh];
  return { sizes: Int32Array.from(sizes), numbers: Float32Array.from(numbers), tensors };

  /** Returns the positions with the vector of the first type, which all tokens have. */
  function places(): Uint8Array {
    const sums = floatsOf(positions);
    const first = types === null ? new Float32Array(1) : floatsOf(types).subarray(0, tensor(types).shape[1]);
    for (let i = 0; i < sums.length; i++) sums[i]! += first[i % first.length]!;
    return new Uint8Array(sums.buffer);
  }

  function floatsOf(name: string): Float32Array {
    return new Float32Array(new Uint8Array(tensor(name).bytes).buffer);
  }
}

/** Returns the bytes of a tensor, copied if they are numbers that may not be aligned. */
const alignedBytes = ({ type, bytes }: ReturnType<ReadableEncoder['tensor']>): Uint8Array =>
  type === elementTypes.int8 ? bytes : new Uint8Array(bytes);
