/**
 * Finds what an encoder computes beside its attention, so that a program can compute it without the graph. As with
 * attention, the graph only shows what this may be, and the numbers of texts show whether it is.
 */
import { distance, tolerance, type Values } from './attention.ts';
import { constantOf, type Encoder, initializerOf } from './encoder.ts';
import type { EncoderLayout, LayerLayout, NormLayout } from './encoder-layout.ts';
import type { GraphNode } from './graph-node.ts';
import type { OnnxDocument } from './onnx-document.ts';
import { elementTypes } from './onnx-file.ts';
import type { Product } from './products.ts';
import { bytesIn, type StoredTensor } from './stored-tensor.ts';

/** A claim that a value is computed from others in one of some ways. */
export interface Claim {
  readonly value: string;
  readonly reads: readonly string[];
  readonly ways: readonly Way[];
}

interface Way {
  readonly compute: (values: Float32Array, others: Float32Array) => Float32Array;
  /** What the layout has if this is the right way. */
  readonly states: Partial<EncoderLayout<Product>>;
}

const productsOfLayer = 6;
const positionOffsets = [0, 1, 2];
/** Each width must be a multiple of this. */
export const lanes = 16;
const defaultEpsilon = 1e-5;
/** If an error is so many times the smallest one, it doesn't come from the precision of float32. */
const unlikely = 10;

const rise = (x: number) => Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3);
const activations: readonly Way[] = [
  {
    compute: (values) => values.map((x) => (x / 2) * (1 + erf(x / Math.SQRT2))),
    states: { activation: 'gelu' },
  },
  {
    compute: (values) => values.map((x) => (x / 2) * (1 + Math.tanh(rise(x)))),
    states: { activation: 'gelu_tanh' },
  },
];

/** Returns the claims with the ways that fit the values of a text; none if one of them is wrong. */
export function fitting(claims: readonly Claim[], values: Values): readonly Claim[] {
  const of = (name: string) => values[name]!.data as Float32Array;
  const left = claims.map(({ value, reads, ways }) => {
    const [first, second] = reads.map(of);
    const errors = ways.map(({ compute }) => distance(of(value), compute(first!, second!)));
    const largest = Math.min(tolerance, unlikely * Math.min(...errors));
    return { value, reads, ways: ways.filter((_, i) => errors[i]! <= largest) };
  });
  return left.every(({ ways }) => ways.length > 0) ? left : [];
}

/** Returns claims of which a layout follows; none if a part of it is missing. */
export function findLayout(document: OnnxDocument, encoder: Encoder): readonly Claim[] {
  return new LayoutFinder(document, encoder).find();
}

class LayoutFinder {
  readonly #document: OnnxDocument;
  readonly #encoder: Encoder;
  readonly #claims: Claim[] = [];

  constructor(document: OnnxDocument, encoder: Encoder) {
    this.#document = document;
    this.#encoder = encoder;
  }

  find(): readonly Claim[] {
    const { products, inputs, attentions, first, last, tables } = this.#encoder;
    const widening = products.get(first) ?? null;
    const inside = [...products.values()].filter(({ input }) => inputs.has(input));
    const areUsual = [...inside, ...(widening ? [widening] : [])].every((product) => this.#isUsual(product));
    const output = [...this.#document.outputs].find((name) => {
      const node = this.#document.producers.get(name);
      return name === last || (node?.op === 'Identity' && node.inputs[0] === last);
    });
    const [[words, table] = [], ...others] = tables;
    if (!areUsual || inside.length !== productsOfLayer * attentions.size) return [];
    if (output === undefined || words === undefined || others.length > 0) return [];
    const layers = [...attentions.keys()].flatMap((context, i) => {
      const [, , , ...rest] = inside.slice(productsOfLayer * i);
      return this.#layer(context, rest) ?? [];
    });
    if (layers.length < attentions.size) return [];
    const embedded = widening?.input ?? first;
    const { columns } = table!;
    const { norm: wordsNorm, normalize } = this.#norm(embedded, [words], columns);
    const nodes = [...this.#nodesBefore(embedded, [words])];
    const added = [...new Set(nodes.flatMap((node) => this.#tensorsOf(node, 2, columns)))];
    const ways = added.flatMap((positions) => {
      const types = added.find((name) => name !== positions) ?? null;
      const [placed, typed] = [this.#numbersOf(positions), types === null ? null : this.#numbersOf(types)];
      return positionOffsets.map((positionOffset): Way => {
        const offset = positionOffset * columns;
        const typeAt = (i: number) => (typed ? typed[i % columns]! : 0);
        const compute = (values: Float32Array) =>
          normalize(values.map((value, i) => value + placed[offset + i]! + typeAt(i)));
        return { compute, states: { output, wordsNorm, widening, layers, positions, positionOffset, types } };
      });
    });
    return [{ value: embedded, reads: [words], ways: added.length > 2 ? [] : ways }, ...this.#claims];
  }

  #isUsual({ rectified, matrix, bias }: Product): boolean {
    const areEven = matrix.rows % lanes === 0 && matrix.columns % lanes === 0;
    const { name = '' } = initializerOf(bias ?? '', this.#document) ?? {};
    return rectified === null && areEven && this.#numbersOf(name).length === matrix.columns;
  }

  /** Returns a layer with its attention before the product of `name`. `rest`: that product, and those after it. */
  #layer(name: string, [context, up, down, next]: readonly Product[]): LayerLayout<Product> | undefined {
    const { products, attentions, last } = this.#encoder;
    const [queries, keys, values] = attentions.get(name)!.reads.map((read) => products.get(read));
    if (!queries || !keys || !values || !context || !up || !down) return undefined;
    const { input } = queries;
    if (keys.input !== input || values.input !== input || context.input !== name) return undefined;
    this.#claims.push({ value: down.input, reads: [up.output], ways: activations });
    const contextNorm = this.#normOfSum(up.input, [context.output, input], queries.matrix.rows);
    const norm = this.#normOfSum(next?.input ?? last, [down.output, up.input], queries.matrix.rows);
    return { queries, keys, values, context, contextNorm, up, down, norm };
  }

  /** Claims that a value is the normalized sum of two. */
  #normOfSum(value: string, reads: readonly [string, string], width: number): NormLayout {
    const { norm, normalize } = this.#norm(value, reads, width);
    const compute: Way['compute'] = (values, others) =>
      normalize(values.map((number, i) => number + others[i]!));
    this.#claims.push({ value, reads, ways: [{ compute, states: {} }] });
    return norm;
  }

  /** Returns how a value is normalized, by one operator or by several. A part that is missing has no numbers. */
  #norm(value: string, reads: readonly string[], width: number) {
    let [scale, bias, epsilon] = ['', '', Number.NaN];
    for (const node of this.#nodesBefore(value, reads)) {
      const { op, inputs, attributes } = node;
      const [vector = '', second = ''] = this.#tensorsOf(node, 1, width);
      if (op === 'LayerNormalization') {
        [scale, bias, epsilon] = [vector, second, attributes.get('epsilon')?.float ?? defaultEpsilon];
        break;
      }
      if (op === 'Mul') scale ||= vector;
      else if (op === 'Add') bias ||= vector;
      else if (op === 'Sqrt') epsilon = this.#summandOf(inputs[0]!);
    }
    const norm: NormLayout = { scale, bias, epsilon };
    const [factors, summands] = [this.#numbersOf(scale), this.#numbersOf(bias)];
    const normalize = (rows: Float32Array): Float32Array => {
      const result = new Float32Array(rows.length);
      for (let at = 0; at < rows.length; at += width) {
        const row = rows.subarray(at, at + width);
        const mean = row.reduce((sum, x) => sum + x, 0) / width;
        const size = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / width + epsilon);
        for (let i = 0; i < width; i++)
          result[at + i] = ((row[i]! - mean) / size) * factors[i]! + summands[i]!;
      }
      return result;
    };
    return { norm, normalize };
  }

  /** Returns the constant number that is added in a value. */
  #summandOf(value: string): number {
    const inputs = this.#document.producers.get(value)?.inputs ?? [];
    const constants = inputs.map((input) => numbersIn(constantOf(input, this.#document), this.#document));
    return constants.find(({ length }) => length === 1)?.[0] ?? Number.NaN;
  }

  /** Yields the nodes that compute a value from `reads`, the last ones first. */
  *#nodesBefore(value: string, reads: readonly string[]): Generator<GraphNode> {
    const names = new Set([value]);
    // The set grows while the loop goes through it.
    for (const name of names) {
      const node = reads.includes(name) ? undefined : this.#document.producers.get(name);
      if (!node) continue;
      yield node;
      for (const input of node.inputs) names.add(input);
    }
  }

  /** Returns the names of a node's tensors with so many dimensions, the last of which is `width`. */
  #tensorsOf({ inputs }: GraphNode, rank: number, width: number): string[] {
    const tensors = inputs.flatMap((input) => initializerOf(input, this.#document) ?? []);
    const found = tensors.filter(({ shape }) => shape.length === rank && shape.at(-1) === width);
    return found.map(({ name }) => name);
  }

  #numbersOf(name: string): Float32Array {
    return numbersIn(this.#document.initializers.get(name), this.#document);
  }
}

/** Returns no numbers for a tensor that is not a readable one of float32. */
function numbersIn(tensor: StoredTensor | undefined, { file }: OnnxDocument): Float32Array {
  if (tensor?.type !== elementTypes.float32 || !tensor.elements) return new Float32Array();
  // A copy, because the elements need not be aligned.
  return new Float32Array(new Uint8Array(bytesIn(tensor, file)).buffer);
}

/** The error is at most 1.5e-7: Abramowitz and Stegun, 7.1.26. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = 0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)));
  return Math.sign(x) * (1 - t * sum * Math.exp(-x * x));
}
