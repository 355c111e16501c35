/** Writes the nodes that compute a product with int8 and one scale for each row. */

import { namePrefix } from './convertible.ts';
import { type Attribute, microsoft, type OnnxNode, type OnnxTensor } from './onnx-file.ts';
import type { Product } from './products.ts';
import { signedSteps, unsignedSteps } from './steps.ts';

/** The names of a quantized matrix's tensors. */
export interface MatrixNames {
  readonly values: string;
  readonly scales: string;
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
  readonly constants: OnnxTensor[] = [];
  readonly #opset: number;
  readonly #factors: ReadonlyMap<string, Float32Array>;
  readonly #rows = new Map<string, Rows>();
  #nodes: OnnxNode[] = [];
  #count = 0;

  /** `factors`: what the columns of an input are divided by, by its name. */
  constructor(opset: number, factors: ReadonlyMap<string, Float32Array>) {
    this.#opset = opset;
    this.#factors = factors;
  }

  /** Returns the nodes that compute the output of a product. */
  nodesOf({ input, rectified, bias, output }: Product, matrix: MatrixNames): OnnxNode[] {
    this.#nodes = [];
    const rows = this.#rowsOf(input, rectified);
    const zeros = rows.zero === null ? [] : [rows.zero];
    const sums = this.#op(
      'MatMulIntegerToFloat',
      [rows.values, matrix.values, this.#scalar('one', 1), matrix.scales, ...zeros],
      { domain: microsoft },
    );
    if (bias === null) this.#op('Mul', [sums, rows.scales], { output });
    else this.#op('Add', [this.#op('Mul', [sums, rows.scales]), bias], { output });
    return this.#nodes;
  }

  #rowsOf(input: string, rectified: string | null): Rows {
    const known = this.#rows.get(input);
    if (known) return known;
    const rows = rectified === null ? this.#signed(input) : this.#unsigned(rectified);
    this.#rows.set(input, rows);
    return rows;
  }

  #signed(input: string): Rows {
    const smooth = this.#smooth(input);
    const largest = this.#op('Max', [
      this.#reduce('ReduceMax', smooth),
      this.#op('Neg', [this.#reduce('ReduceMin', smooth)]),
      this.#scalar('smallest', smallestSize),
    ]);
    const scales = this.#op('Mul', [largest, this.#scalar('signed_step', 1 / signedSteps)]);
    const list = this.#op('Reshape', [scales, this.#integers('all', -1)]);
    const zeros = this.#op('ConstantOfShape', [this.#op('Shape', [list])], {
      attributes: { value: { tensor: { name: '', shape: [1], values: Uint8Array.of(zero) } } },
    });
    const values = this.#quantize(smooth, [list, zeros], input);
    return { values, scales, zero: this.#constant('zero', Uint8Array.of(zero), []) };
  }

  #smooth(input: string): string {
    const factors = this.#factors.get(input);
    if (!factors) return input;
    const inverse = factors.map((factor) => 1 / factor);
    return this.#op('Mul', [input, this.#constant(`factors_${this.#count}`, inverse, [inverse.length])]);
  }

  /** Rounding to a uint8 turns negative numbers into 0, so it does the work of the Relu too. */
  #unsigned(rectified: string): Rows {
    const largest = this.#op('Max', [
      this.#reduce('ReduceMax', rectified),
      this.#scalar('smallest', smallestSize),
    ]);
    const scales = this.#op('Mul', [largest, this.#scalar('unsigned_step', 1 / unsignedSteps)]);
    const list = this.#op('Reshape', [scales, this.#integers('all', -1)]);
    return { values: this.#quantize(rectified, [list]), scales, zero: null };
  }

  /**
   * The standard operator has a scale for each row only since version 13, and Microsoft's always has. `shaped` has the
   * shape of `input`, and its shape may be needed elsewhere too.
   */
  #quantize(input: string, scaling: readonly string[], shaped = input): string {
    const flat = this.#op('Flatten', [input], { attributes: { axis: { int: -1 } } });
    const steps = this.#op('QuantizeLinear', [flat, ...scaling], {
      domain: microsoft,
      attributes: { axis: { int: 0 } },
    });
    return this.#op('Reshape', [steps, this.#op('Shape', [shaped])]);
  }

  /** Reduces the last axis to 1. */
  #reduce(op: string, input: string): string {
    const keepdims = { keepdims: { int: 1 } };
    return this.#opset >= reduceByInput
      ? this.#op(op, [input, this.#integers('last', -1)], { attributes: keepdims })
      : this.#op(op, [input], { attributes: { axes: { ints: [-1] }, ...keepdims } });
  }

  #op(
    op: string,
    inputs: readonly string[],
    {
      output = `${namePrefix}${op}_${this.#count++}`,
      domain = '',
      attributes = {},
    }: { output?: string; domain?: string; attributes?: Readonly<Record<string, Attribute>> } = {},
  ): string {
    this.#nodes.push({ op, domain, inputs, output, attributes });
    return output;
  }

  #scalar(name: string, value: number): string {
    return this.#constant(name, Float32Array.of(value), []);
  }

  #integers(name: string, ...values: number[]): string {
    return this.#constant(name, BigInt64Array.from(values, BigInt), [values.length]);
  }

  #constant(name: string, values: OnnxTensor['values'], shape: readonly number[]): string {
    const full = `${namePrefix}${name}`;
    if (!this.constants.some((constant) => constant.name === full)) {
      this.constants.push({ name: full, shape, values });
    }
    return full;
  }
}
