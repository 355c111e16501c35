/** Writes the nodes that compute a product with int8, and with a scale for each row of its input. */

import { idsInput } from './constants.ts';
import { namePrefix } from './convertible.ts';
import type { ApartNames } from './encoder-layout.ts';
import { type Attribute, elementTypes, microsoft, type OnnxNode, type OnnxTensor } from './onnx-file.ts';
import type { Product } from './products.ts';
import { signedSteps, unsignedSteps } from './steps.ts';

/** The names of a quantized matrix's tensors. */
export interface MatrixNames {
  readonly values: string;
  readonly scales: string;
  /** Undefined if it has none. */
  readonly apart?: ApartNames;
}

interface Rows {
  /** uint8, texts·tokens × width. */
  readonly values: string;
  /** One for each row, in a column. */
  readonly scales: string;
  /** The value that stands for 0. Null: 0 itself. */
  readonly zero: string | null;
}

/** The value of a uint8 that stands for 0 if an input has both signs. */
const zero = 128;
/** The size of a row of zeros, by which it can be divided. */
const smallestSize = 1e-30;
/** From this version on, ReduceMax takes its axes as an input. */
const reduceByInput = 18;

/** Collects nodes and constants. Quantizes an input once, however many products read it. */
export class RowWise {
  readonly nodes: OnnxNode[] = [];
  readonly constants: OnnxTensor[] = [];
  readonly #opset: number;
  readonly #factors: ReadonlyMap<string, Float32Array>;
  readonly #rows = new Map<string, Rows>();
  #count = 0;

  /** `factors`: what the columns of an input are divided by, by its name. */
  constructor(opset: number, factors: ReadonlyMap<string, Float32Array>) {
    this.#opset = opset;
    this.#factors = factors;
  }

  /** Adds the nodes that compute the output of a product. */
  product({ input, rectified, bias, output }: Product, matrix: MatrixNames): void {
    const { values, scales, zero } = this.#rowsOf(input, rectified);
    const one = this.#scalar('one', 1);
    const inputs = [values, matrix.values, one, matrix.scales, ...(zero === null ? [] : [zero])];
    const { apart } = matrix;
    const named = apart ? {} : { output };
    const product = this.#op('MatMulIntegerToFloat', inputs, { domain: microsoft });
    const result =
      bias === null
        ? this.#op('Mul', [product, scales], named)
        : this.#op('Add', [this.#op('Mul', [product, scales]), bias], named);
    if (!apart) return;
    const few = this.#op('Gather', [rectified ?? input, apart.rows], { attributes: { axis: { int: -1 } } });
    const positive = rectified === null ? few : this.#op('Relu', [few]);
    this.#op('Add', [result, this.#op('MatMul', [positive, apart.values])], { output });
  }

  /** Adds a look-up of words in an int8 table. */
  lookUp({ values, scales }: MatrixNames, output: string): void {
    const attributes = { to: { int: elementTypes.float32 } };
    const [found, scale] = [values, scales].map((table) => this.#op('Gather', [table, idsInput]));
    this.#op('Mul', [this.#op('Cast', [found!], { attributes }), scale!], { output });
  }

  #rowsOf(input: string, rectified: string | null): Rows {
    const known = this.#rows.get(input);
    if (known) return known;
    const rows = rectified === null ? this.#signed(input) : this.#positive(rectified);
    this.#rows.set(input, rows);
    return rows;
  }

  #signed(input: string): Rows {
    const factors = this.#factorsOf(input);
    const smooth = factors === null ? input : this.#op('Mul', [input, factors]);
    const largest = this.#op('Max', [
      this.#reduce('ReduceMax', smooth),
      this.#op('Neg', [this.#reduce('ReduceMin', smooth)]),
      this.#scalar('smallest', smallestSize),
    ]);
    const scales = this.#op('Mul', [largest, this.#scalar('signed_step', 1 / signedSteps)]);
    return this.#uneven(smooth, scales, zero, input);
  }

  #factorsOf(input: string): string | null {
    const inverse = this.#factors.get(input)?.map((factor) => 1 / factor);
    return inverse ? this.#constant(`factors_${this.#count}`, inverse, [inverse.length]) : null;
  }

  /** Rounds numbers without a sign. Rounding to a uint8 turns lower ones into 0, so it does the work of a Relu too. */
  #positive(input: string): Rows {
    const least = this.#scalar('smallest', smallestSize);
    const largest = this.#op('Max', [this.#reduce('ReduceMax', input), least]);
    const step = this.#scalar('unsigned_step', 1 / unsignedSteps);
    return this.#uneven(input, this.#op('Mul', [largest, step]), 0);
  }

  /**
   * Rounds each row with its own scale. The standard operator can do that only since version 13, and Microsoft's always
   * can. `shaped` has the shape of `input`, and its shape may be needed elsewhere too.
   */
  #uneven(input: string, scales: string, zero: number, shaped = input): Rows {
    const list = this.#op('Reshape', [scales, this.#integers('all', -1)]);
    const value = { tensor: { name: '', shape: [1], values: Uint8Array.of(zero) } };
    const zerosOf = (shape: string) => this.#op('ConstantOfShape', [shape], { attributes: { value } });
    const zeros = zero === 0 ? [] : [zerosOf(this.#op('Shape', [list]))];
    const flat = this.#op('Flatten', [input], { attributes: { axis: { int: -1 } } });
    const steps = this.#op('QuantizeLinear', [flat, list, ...zeros], {
      domain: microsoft,
      attributes: { axis: { int: 0 } },
    });
    const values = this.#op('Reshape', [steps, this.#op('Shape', [shaped])]);
    const middle = zero === 0 ? null : this.#constant('zero', Uint8Array.of(zero), []);
    return { values, scales, zero: middle };
  }

  /** Reduces the last axis to 1. */
  #reduce(op: string, input: string): string {
    const keepdims = { keepdims: { int: 1 } };
    return this.#opset >= reduceByInput
      ? this.#op(op, [input, this.#integers('last', -1)], { attributes: keepdims })
      : this.#op(op, [input], { attributes: { axes: { ints: [-1] }, ...keepdims } });
  }

  /** Adds a node and returns the name of its output. */
  #op(
    op: string,
    inputs: readonly string[],
    {
      output = `${namePrefix}${op}_${this.#count++}`,
      domain = '',
      attributes = {},
    }: { output?: string; domain?: string; attributes?: Readonly<Record<string, Attribute>> } = {},
  ): string {
    this.nodes.push({ op, domain, inputs, output, attributes });
    return output;
  }

  #scalar(name: string, value: number): string {
    return this.#constant(name, Float32Array.of(value), []);
  }

  #integers(name: string, ...values: number[]): string {
    return this.#constant(name, BigInt64Array.from(values, BigInt), [values.length]);
  }

  /** Adds a constant, once for each name, and returns its full name. */
  #constant(name: string, values: OnnxTensor['values'], shape: readonly number[]): string {
    const full = `${namePrefix}${name}`;
    if (!this.constants.some((constant) => constant.name === full)) {
      this.constants.push({ name: full, shape, values });
    }
    return full;
  }
}
