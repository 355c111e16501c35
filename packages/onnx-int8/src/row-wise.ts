/** Writes the nodes that compute a product with int8 and, unless its input has a constant one, a scale for each row. */

import { namePrefix } from './convertible.ts';
import { idsInput } from './encoder.ts';
import type { ApartNames, ProductLayout } from './encoder-layout.ts';
import { type Attribute, elementTypes, microsoft, type OnnxNode, type OnnxTensor } from './onnx-file.ts';
import type { Product } from './products.ts';
import { lowestActivated, signedSteps, unsignedSteps } from './steps.ts';

/** The names of a quantized matrix's tensors. */
export interface MatrixNames {
  readonly values: string;
  readonly scales: string;
  /** Undefined if it has none. */
  readonly apart?: ApartNames;
}

/** How an input is rounded that doesn't have a usual scale for each row: a constant scale, or the result of a GELU. */
export type Rounding = number | 'activated';

interface Rows {
  /** uint8, texts·tokens × width. */
  readonly values: string;
  /** The scale of all rows. */
  readonly scale: string;
  /** One for each row, in a column; null if all have the same. */
  readonly scales: string | null;
  /** The value that stands for 0. Null: 0 itself. */
  readonly zero: string | null;
}

const castTypes = { ...elementTypes, int32: 6, bool: 9 };
/** The value of a uint8 that stands for 0 if an input has both signs. */
const zero = 128;
/** That of a GELU, most of whose numbers are positive. */
const activatedZero = 16;
/** The size of a row of zeros, by which it can be divided. */
const smallestSize = 1e-30;
/** With this size, the steps below 0 reach the smallest result of a GELU. */
const smallestActivated = (-lowestActivated * (unsignedSteps - activatedZero)) / activatedZero;
/** From this version on, ReduceMax takes its axes as an input. */
const reduceByInput = 18;

/** Collects nodes and constants. Quantizes an input once, however many products read it. */
export class RowWise {
  readonly nodes: OnnxNode[] = [];
  readonly constants: OnnxTensor[] = [];
  /** How the inputs of products are rounded. */
  readonly inputs = new Map<string, Pick<ProductLayout, 'factors' | 'rounding'>>();
  readonly #opset: number;
  readonly #factors: ReadonlyMap<string, Float32Array>;
  readonly #roundings: ReadonlyMap<string, Rounding>;
  readonly #rows = new Map<string, Rows>();
  #count = 0;

  /** `factors`: what the columns of an input are divided by, by its name. */
  constructor(
    opset: number,
    factors: ReadonlyMap<string, Float32Array>,
    roundings: ReadonlyMap<string, Rounding> = new Map(),
  ) {
    this.#opset = opset;
    this.#factors = factors;
    this.#roundings = roundings;
  }

  /** Adds the nodes that compute the output of a product. */
  product({ input, rectified, bias, output }: Product, matrix: MatrixNames): void {
    const { values, scale, scales, zero } = this.#rowsOf(input, rectified);
    const inputs = [values, matrix.values, scale, matrix.scales, ...(zero === null ? [] : [zero])];
    const product = (added: readonly string[], named = {}) =>
      this.op('MatMulIntegerToFloat', [...inputs, ...added], { domain: microsoft, ...named });
    const { apart } = matrix;
    const named = apart ? {} : { output };
    const rounded = (): string => {
      // The empty input would be the zeros of the matrix.
      if (scales === null) return product(bias === null ? [] : ['', bias], named);
      if (bias === null) return this.op('Mul', [product([]), scales], named);
      return this.op('Add', [this.op('Mul', [product([]), scales]), bias], named);
    };
    const result = rounded();
    if (!apart) return;
    const few = this.op('Gather', [rectified ?? input, apart.rows], { attributes: { axis: { int: -1 } } });
    const positive = rectified === null ? few : this.op('Relu', [few]);
    this.op('Add', [result, this.op('MatMul', [positive, apart.values])], { output });
  }

  /** Adds a look-up of words in an int8 table. */
  lookUp({ values, scales }: MatrixNames, output: string): void {
    const [found, scale] = [values, scales].map((table) => this.op('Gather', [table, idsInput]));
    this.op('Mul', [this.cast(found!, 'float32'), scale!], { output });
  }

  cast(name: string, to: keyof typeof castTypes): string {
    return this.op('Cast', [name], { attributes: { to: { int: castTypes[to] } } });
  }

  #rowsOf(input: string, rectified: string | null): Rows {
    const known = this.#rows.get(input);
    if (known) return known;
    const rows = rectified === null ? this.#signed(input) : this.#positive(rectified, 0, smallestSize);
    this.#rows.set(input, rows);
    return rows;
  }

  #signed(input: string): Rows {
    const rounding = this.#roundings.get(input);
    const factors = this.#factorsOf(input);
    this.inputs.set(input, { factors, rounding: rounding ?? 'rows' });
    if (rounding === 'activated') return this.#positive(input, activatedZero, smallestActivated);
    const smooth = factors === null ? input : this.op('Mul', [input, factors]);
    if (rounding !== undefined) return this.#even(smooth, rounding);
    const largest = this.op('Max', [
      this.#reduce('ReduceMax', smooth),
      this.op('Neg', [this.#reduce('ReduceMin', smooth)]),
      this.scalar('smallest', smallestSize),
    ]);
    const scales = this.op('Mul', [largest, this.scalar('signed_step', 1 / signedSteps)]);
    return this.#uneven(smooth, scales, zero, input);
  }

  #factorsOf(input: string): string | null {
    const inverse = this.#factors.get(input)?.map((factor) => 1 / factor);
    return inverse ? this.constant(`factors_${this.#count}`, inverse, [inverse.length]) : null;
  }

  #even(input: string, size: number): Rows {
    const [scale, middle] = [this.scalar(`scale_${this.#count}`, size), this.#zero(zero)];
    const values = this.op('QuantizeLinear', [input, scale, middle]);
    return { values, scale, scales: null, zero: middle };
  }

  /**
   * Rounds numbers that are negative only down to a known one, so that more steps are for positive ones. Rounding to a
   * uint8 turns lower ones into 0, so it does the work of a Relu too.
   */
  #positive(input: string, zero: number, smallest: number): Rows {
    const kind = zero === 0 ? '' : 'activated_';
    const least = this.scalar(`${kind}smallest`, smallest);
    const largest = this.op('Max', [this.#reduce('ReduceMax', input), least]);
    const step = this.scalar(`${kind}unsigned_step`, 1 / (unsignedSteps - zero));
    return this.#uneven(input, this.op('Mul', [largest, step]), zero);
  }

  /**
   * Rounds each row with its own scale. The standard operator can do that only since version 13, and Microsoft's always
   * can. `shaped` has the shape of `input`, and its shape may be needed elsewhere too.
   */
  #uneven(input: string, scales: string, zero: number, shaped = input): Rows {
    const list = this.op('Reshape', [scales, this.integers('all', -1)]);
    const value = { tensor: { name: '', shape: [1], values: Uint8Array.of(zero) } };
    const zerosOf = (shape: string) => this.op('ConstantOfShape', [shape], { attributes: { value } });
    const zeros = zero === 0 ? [] : [zerosOf(this.op('Shape', [list]))];
    const flat = this.op('Flatten', [input], { attributes: { axis: { int: -1 } } });
    const steps = this.op('QuantizeLinear', [flat, list, ...zeros], {
      domain: microsoft,
      attributes: { axis: { int: 0 } },
    });
    const values = this.op('Reshape', [steps, this.op('Shape', [shaped])]);
    const middle = zero === 0 ? null : this.#zero(zero);
    return { values, scale: this.scalar('one', 1), scales, zero: middle };
  }

  #zero(value: number): string {
    return this.constant(value === zero ? 'zero' : `zero_${value}`, Uint8Array.of(value), []);
  }

  /** Reduces the last axis to 1. */
  #reduce(op: string, input: string): string {
    const keepdims = { keepdims: { int: 1 } };
    return this.#opset >= reduceByInput
      ? this.op(op, [input, this.integers('last', -1)], { attributes: keepdims })
      : this.op(op, [input], { attributes: { axes: { ints: [-1] }, ...keepdims } });
  }

  /** Adds a node and returns the name of its output. */
  op(
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

  scalar(name: string, value: number): string {
    return this.constant(name, Float32Array.of(value), []);
  }

  integers(name: string, ...values: number[]): string {
    return this.constant(name, BigInt64Array.from(values, BigInt), [values.length]);
  }

  /** Adds a constant, once for each name, and returns its full name. */
  constant(name: string, values: OnnxTensor['values'], shape: readonly number[]): string {
    const full = `${namePrefix}${name}`;
    if (!this.constants.some((constant) => constant.name === full)) {
      this.constants.push({ name: full, shape, values });
    }
    return full;
  }
}
