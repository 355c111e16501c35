/**
 * Finds what an encoder computes beside its attention, so that a program can compute it without the graph. As with
 * attention, the graph only shows what this may be, and the numbers of texts show whether it is.
 */
import { distance, tolerance, type Values } from './attention.ts';
import { constantOf, type Encoder, idsInput, initializerOf } from './encoder.ts';
import type { EncoderLayout, LayerLayout, NormLayout } from './encoder-layout.ts';
import type { GraphNode } from './graph-node.ts';
import type { OnnxDocument } from './onnx-document.ts';
import { elementTypes } from './onnx-file.ts';
import type { Product } from './products.ts';
import { bytesIn } from './stored-tensor.ts';

/** A claim that a value is computed from others in some way. If several are about a value, one of them is right. */
export interface LayoutClaim {
  readonly value: string;
  readonly reads: readonly string[];
  readonly compute: (values: Float32Array, others: Float32Array) => Float32Array;
  /** What the layout has if the claim is right. */
  readonly states: Partial<EncoderLayout<Product>>;
}

const productsOfLayer = 6;
/** RoBERTa compares ids with its padding's, 0 or 1, and counts the other tokens from the row after it. */
const positionOffsets = { counted: [1, 2], others: [0] };
/** Each width must be a multiple of this. */
export const lanes = 16;
const defaultEpsilon = 1e-5;
/** An error that is this many times the smallest one does not come from float32. */
const maxErrorRatio = 10;

/** A GELU of x is x (1 + share) ÷ 2, where the share is from −1 to 1. */
const shares = {
  gelu: (x: number) => erf(x * Math.SQRT1_2),
  gelu_tanh: (x: number) => Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)),
};

/** Returns the claims that fit the values of a text; none if no claim about a value does. */
export function fitting(claims: readonly LayoutClaim[], values: Values): readonly LayoutClaim[] {
  const of = (name: string) => values[name]!.data as Float32Array;
  const groups = [...Map.groupBy(claims, ({ value }) => value)];
  const fits = groups.flatMap(([value, about]) => {
    const errors = about.map(({ reads: [first = '', second = first], compute }) =>
      distance(of(value), compute(of(first), of(second))),
    );
    const largest = Math.min(tolerance, maxErrorRatio * Math.min(...errors));
    return about.filter((_, i) => errors[i]! <= largest);
  });
  // Small and huge numbers fit both activations. All layers have the one that none of them refutes.
  const refuted = new Set(
    claims.filter((claim) => !fits.includes(claim)).map((claim) => claim.states.activation),
  );
  const left = fits.filter(({ states: { activation } }) => !activation || !refuted.has(activation));
  return new Set(left.map(({ value }) => value)).size === groups.length ? left : [];
}

export class LayoutFinder {
  readonly #document: OnnxDocument;
  readonly #encoder: Encoder;
  readonly #claims: LayoutClaim[] = [];

  constructor(document: OnnxDocument, encoder: Encoder) {
    this.#document = document;
    this.#encoder = encoder;
  }

  /** Returns claims from which a layout follows; none if a part of it is missing. */
  find(): readonly LayoutClaim[] {
    const { products, inputs, attentions, first, last, tables } = this.#encoder;
    const widening = products.get(first) ?? null;
    const inside = [...products.values()].filter(({ input }) => inputs.has(input));
    const areUsual = [...inside, ...(widening ? [widening] : [])].every((product) => this.#isUsual(product));
    // All layers have the shapes of the first one, and attention has the width of a layer.
    const areAlike = inside.every(({ matrix: { rows, columns } }, i) => {
      const { matrix } = inside[i % productsOfLayer]!;
      const isSquare = rows === columns || i % productsOfLayer > 3;
      return isSquare && rows === matrix.rows && columns === matrix.columns;
    });
    const output = [...this.#document.outputs.keys()].find((name) => {
      const node = this.#document.producers.get(name);
      return name === last || (node?.op === 'Identity' && node.inputs[0] === last);
    });
    const [[words, table] = [], ...others] = tables;
    if (!areUsual || !areAlike || inside.length !== productsOfLayer * attentions.size || others.length > 0)
      return [];
    const layers = [...attentions.keys()].flatMap((name, i) =>
      this.#layer(name, inside.slice(productsOfLayer * i)),
    );
    if (!output || !words || !table || layers.length < attentions.size) return [];
    const value = widening?.input ?? first;
    const { norm: wordsNorm, normalize } = this.#norm(value, [words], table.columns);
    const nodes = [...this.#nodesBefore(value, [words])];
    const added = [...new Set(nodes.flatMap((node) => this.#tensorsOf(node, 2, table.columns)))];
    if (added.length !== 1 && added.length !== 2) return [];
    const isCounted = nodes.some(({ op, inputs }) => op === 'Equal' && inputs.includes(idsInput));
    for (const positions of added) {
      const types = added.find((name) => name !== positions) ?? null;
      const [placed, typed] = [this.#numbersOf(positions), types === null ? [0] : this.#numbersOf(types)];
      const period = types === null ? 1 : table.columns;
      for (const positionOffset of positionOffsets[isCounted ? 'counted' : 'others']) {
        const offset = positionOffset * table.columns;
        const compute = (numbers: Float32Array) =>
          normalize(numbers.map((number, i) => number + placed[offset + i]! + typed[i % period]!));
        const states = { output, wordsNorm, widening, layers, positions, positionOffset, types };
        this.#claims.push({ value, reads: [words], compute, states });
      }
    }
    return this.#claims;
  }

  #isUsual({ rectified, matrix, bias }: Product): boolean {
    const areEven = matrix.rows % lanes === 0 && matrix.columns % lanes === 0;
    const { name = '' } = initializerOf(bias ?? '', this.#document) ?? {};
    return rectified === null && areEven && this.#numbersOf(name).length === matrix.columns;
  }

  /** Returns the layer whose attention returns `name`, unless its products are others. */
  #layer(name: string, [, , , context, up, down, next]: readonly Product[]): LayerLayout<Product>[] {
    const { products, attentions, last } = this.#encoder;
    const [queries, keys, values] = attentions.get(name)!.reads.map((read) => products.get(read));
    if (!queries || !keys || !values || !context || !up || !down) return [];
    const { input, matrix } = queries;
    if (keys.input !== input || values.input !== input || context.input !== name) return [];
    for (const activation of ['gelu', 'gelu_tanh'] as const) {
      const gelu = (x: number) => (x / 2) * (1 + shares[activation](x));
      const compute = (numbers: Float32Array) => numbers.map(gelu);
      this.#claims.push({ value: down.input, reads: [up.output], compute, states: { activation } });
    }
    const contextNorm = this.#normOfSum(up.input, [context.output, input], matrix.rows);
    const norm = this.#normOfSum(next?.input ?? last, [down.output, up.input], matrix.rows);
    return [{ queries, keys, values, context, contextNorm, up, down, norm }];
  }

  #normOfSum(value: string, reads: readonly string[], width: number): NormLayout {
    const { norm, normalize } = this.#norm(value, reads, width);
    const compute: LayoutClaim['compute'] = (a, b) => normalize(a.map((number, i) => number + b[i]!));
    this.#claims.push({ value, reads, compute, states: {} });
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
      else if (op === 'Sqrt') {
        const summands = this.#document.producers.get(inputs[0]!)?.inputs ?? [];
        const numbers = summands.map((name) => this.#numbersOf(name));
        epsilon = numbers.find(({ length }) => length === 1)?.[0] ?? Number.NaN;
      }
    }
    const norm: NormLayout = { scale, bias, epsilon };
    const [factors, summands] = [this.#numbersOf(scale), this.#numbersOf(bias)];
    /** Replaces rows. */
    const normalize = (rows: Float32Array): Float32Array => {
      for (let at = 0; at < rows.length; at += width) {
        const row = rows.subarray(at, at + width);
        const mean = row.reduce((sum, x) => sum + x, 0) / width;
        const size = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / width + epsilon);
        for (let i = 0; i < width; i++) row[i] = ((row[i]! - mean) / size) * factors[i]! + summands[i]!;
      }
      return rows;
    };
    return { norm, normalize };
  }

  /** Yields the nodes that compute a value from `reads`, the last ones first. */
  *#nodesBefore(value: string, reads: readonly string[]): Generator<GraphNode> {
    const names = new Set([value]);
    // The set grows while the loop goes through it.
    for (const name of names) {
      const node = reads.includes(name) ? undefined : this.#document.producers.get(name);
      if (node) yield node;
      for (const input of node?.inputs ?? []) names.add(input);
    }
  }

  /** Returns the names of a node's tensors with so many dimensions, the last of which is `width`. */
  #tensorsOf({ inputs }: GraphNode, rank: number, width: number): string[] {
    const tensors = inputs.flatMap((input) => initializerOf(input, this.#document) ?? []);
    const found = tensors.filter(({ shape }) => shape.length === rank && shape.at(-1) === width);
    return found.map(({ name }) => name);
  }

  /** Returns no numbers for a tensor that is not a readable one of float32. */
  #numbersOf(name: string): Float32Array {
    const tensor = constantOf(name, this.#document);
    if (tensor?.type !== elementTypes.float32 || !tensor.elements) return new Float32Array();
    // A copy, because the elements need not be aligned.
    return new Float32Array(new Uint8Array(bytesIn(tensor, this.#document.file)).buffer);
  }
}

/** The error is at most 1.5e-7: Abramowitz and Stegun, 7.1.26. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = 0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)));
  return Math.sign(x) * (1 - t * sum * Math.exp(-x * x));
}
