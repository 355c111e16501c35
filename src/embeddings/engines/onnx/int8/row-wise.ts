/** Writes the nodes that compute a product with int8 and one scale for each row. */
import type { Attribute, OnnxNode, OnnxTensor } from '../../onnx-writer/onnx-file.ts';
import type { Product } from './products.ts';

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
}

const microsoft = 'com.microsoft';
const prefix = 'embedgate_int8';
/** The value of a uint8 that stands for 0. */
const zero = 128;
const largestStep = 127;
/** A row of zeros has this scale. */
const smallestSize = 1e-30;
/** From this version on, ReduceMax takes its axes as an input. */
const reduceByInput = 18;

/** Collects nodes and constants. Quantizes an input once, however many products read it. */
export class RowWise {
  readonly constants: OnnxTensor[] = [];
  readonly #opset: number;
  readonly #rows = new Map<string, Rows>();
  #nodes: OnnxNode[] = [];
  #count = 0;

  constructor(opset: number) {
    this.#opset = opset;
  }

  /** Returns the nodes that compute the output of a product. */
  nodesOf({ input, bias, output }: Product, matrix: MatrixNames): OnnxNode[] {
    this.#nodes = [];
    const rows = this.#rowsOf(input);
    const one = this.#scalar('one', 1);
    const offset = this.#constant('zero', Uint8Array.of(zero), []);
    const sums = this.#op('MatMulIntegerToFloat', [rows.values, matrix.values, one, matrix.scales, offset], {
      domain: microsoft,
    });
    if (bias === null) this.#op('Mul', [sums, rows.scales], { output });
    else this.#op('Add', [this.#op('Mul', [sums, rows.scales]), bias], { output });
    return this.#nodes;
  }

  #rowsOf(input: string): Rows {
    const known = this.#rows.get(input);
    if (known) return known;
    const size = this.#op('Max', [this.#largest(input), this.#scalar('smallest', smallestSize)]);
    const scales = this.#op('Mul', [size, this.#scalar('step', 1 / largestStep)]);
    const list = this.#op('Reshape', [scales, this.#integers('all', -1)]);
    const offsets = this.#op('ConstantOfShape', [this.#op('Shape', [list])], {
      attributes: { value: { tensor: { name: '', shape: [1], values: Uint8Array.of(zero) } } },
    });
    const flat = this.#op('Flatten', [input], { attributes: { axis: { int: -1 } } });
    const steps = this.#op('QuantizeLinear', [flat, list, offsets], {
      domain: microsoft,
      attributes: { axis: { int: 0 } },
    });
    const values = this.#op('Reshape', [steps, this.#op('Shape', [input])]);
    const rows = { values, scales };
    this.#rows.set(input, rows);
    return rows;
  }

  #largest(flat: string): string {
    const absolute = this.#op('Abs', [flat]);
    const keepdims = { keepdims: { int: 1 } };
    return this.#opset >= reduceByInput
      ? this.#op('ReduceMax', [absolute, this.#integers('columns', -1)], { attributes: keepdims })
      : this.#op('ReduceMax', [absolute], { attributes: { axes: { ints: [-1] }, ...keepdims } });
  }

  #op(
    op: string,
    inputs: readonly string[],
    {
      output = `${prefix}/${op}_${this.#count++}`,
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
    const full = `${prefix}/${name}`;
    if (!this.constants.some((constant) => constant.name === full)) {
      this.constants.push({ name: full, shape, values });
    }
    return full;
  }
}
