/**
 * Finds what an encoder computes beside its attention, so that a program can compute it without the graph. As with
 * attention, the graph only shows what this may be, and the numbers of texts show whether it is.
 */
import { distance, type Heads, tolerance, type Values } from './attention.ts';
import { type Encoder, initializerOf } from './encoder.ts';
import type { EncoderLayout, LayerLayout, NormLayout, ProductLayout } from './encoder-layout.ts';
import { activations, normalized } from './encoder-numbers.ts';
import type { GraphNode } from './graph-node.ts';
import type { OnnxDocument } from './onnx-document.ts';
import { elementTypes } from './onnx-file.ts';
import type { Product } from './products.ts';
import { bytesIn } from './stored-tensor.ts';

type Embeddings = Pick<EncoderLayout, 'positions' | 'positionOffset' | 'types'>;
type Activation = EncoderLayout['activation'];

/** What a graph may compute. */
interface Proposal extends Pick<EncoderLayout<Product>, 'output' | 'wordsNorm' | 'widening' | 'layers'> {
  /** The value that the table of words gives. */
  readonly words: string;
  /** What can be added to it. */
  readonly embeddings: readonly Embeddings[];
  /** Their sum, normalized. */
  readonly embedded: string;
  /** What each layer returns. */
  readonly results: readonly string[];
}

const productsOfLayer = 6;
const offsets = [0, 1, 2];
/** Each width must be a multiple of this. */
const lanes = 16;
const defaultEpsilon = 1e-5;
/** An error that is this many times another one doesn't come from the precision of float32. */
const unlikely = 10;

/** Returns what an encoder may compute; undefined if a part is missing. */
export function findLayout(document: OnnxDocument, encoder: Encoder): LayoutFinder | undefined {
  const { products, inputs, attentions, first, last, tables } = encoder;
  const inside = [...products.values()].filter(({ input }) => inputs.has(input));
  const widening = products.get(first) ?? null;
  const areUsual = [...inside, ...(widening ? [widening] : [])].every(({ rectified, matrix, bias }) => {
    const isEven = matrix.rows % lanes === 0 && matrix.columns % lanes === 0;
    return isEven && rectified === null && isTensor(bias ?? '', [matrix.columns], document);
  });
  const [words = '', ...others] = tables.keys();
  const output = [...document.outputs].find((name) => {
    const node = document.producers.get(name);
    return name === last || (node?.op === 'Identity' && node.inputs[0] === last);
  });
  if (!areUsual || inside.length !== productsOfLayer * attentions.size) return undefined;
  if (!words || others.length > 0 || output === undefined) return undefined;
  const results: string[] = [];
  const layers = [...attentions].map(([name, { reads }], i): LayerLayout<Product> | undefined => {
    const [, , , context, up, down, next] = inside.slice(productsOfLayer * i);
    const [queries, keys, values] = reads.map((read) => products.get(read)!);
    const { input, matrix } = queries!;
    const result = next?.input ?? last;
    results.push(result);
    const isLayer = [keys, values].every((product) => product!.input === input) && context!.input === name;
    const contextNorm = normBefore(up!.input, [input, context!.output], matrix.rows, document);
    const norm = normBefore(result, [up!.input, down!.output], matrix.rows, document);
    if (!isLayer || !contextNorm || !norm) return undefined;
    return {
      queries: queries!,
      keys: keys!,
      values: values!,
      context: context!,
      contextNorm,
      up: up!,
      down: down!,
      norm,
    };
  });
  const embedded = widening?.input ?? first;
  const width = tables.get(words)!.columns;
  const wordsNorm = normBefore(embedded, [words], width, document);
  const added = tablesBefore(embedded, words, width, document);
  if (!wordsNorm || added.length > 2 || !layers.every((layer) => layer !== undefined)) return undefined;
  const embeddings = added.flatMap((positions) => {
    const types = added.find((table) => table !== positions) ?? null;
    return offsets.map((positionOffset) => ({ positions, positionOffset, types }));
  });
  const proposal = { output, words, embeddings, embedded, wordsNorm, widening, layers, results };
  return new LayoutFinder(document, proposal);
}

/** A proposal, and what the numbers of texts leave of it. */
export class LayoutFinder {
  /** The values that are compared. */
  readonly names: readonly string[];
  readonly #proposal: Proposal;
  readonly #numbersOf: (name: string) => Float32Array;
  #embeddings: readonly Embeddings[];
  #activations: readonly Activation[] = ['gelu', 'gelu_tanh'];

  constructor(document: OnnxDocument, proposal: Proposal) {
    const { words, embedded, layers, results, embeddings } = proposal;
    const inner = layers.flatMap(({ queries, context, up, down }) => [
      ...[queries.input, context.output, up.input, up.output, down.input, down.output],
    ]);
    this.names = [words, embedded, ...inner, ...results];
    this.#proposal = proposal;
    this.#embeddings = embeddings;
    const known = new Map<string, Float32Array>();
    this.#numbersOf = (name) => {
      const numbers = known.get(name) ?? numbersIn(name, document);
      known.set(name, numbers);
      return numbers;
    };
  }

  /** Reports whether the values of a text are those of the proposal. */
  accepts(values: Values): boolean {
    const { words, embedded, wordsNorm, layers, results } = this.#proposal;
    const of = (name: string) => values[name]!.data as Float32Array;
    const errorOf = (name: string, sum: Float32Array, { scale, bias, epsilon }: NormLayout) =>
      distance(of(name), normalized(sum, this.#numbersOf(scale), this.#numbersOf(bias), epsilon));
    const sumOf = (a: string, b: string) => of(a).map((value, i) => value + of(b)[i]!);
    this.#embeddings = closest(this.#embeddings, (embeddings) =>
      errorOf(embedded, this.#sum(of(words), embeddings), wordsNorm),
    );
    this.#activations = closest(this.#activations, (name) => {
      const errors = layers.map(({ up, down }) =>
        distance(of(down.input), of(up.output).map(activations[name])),
      );
      return Math.max(...errors);
    });
    const areNormalized = layers.every(({ queries, context, contextNorm, up, down, norm }, i) => {
      const errors = [
        errorOf(up.input, sumOf(queries.input, context.output), contextNorm),
        errorOf(results[i]!, sumOf(up.input, down.output), norm),
      ];
      return Math.max(...errors) <= tolerance;
    });
    return areNormalized && this.#embeddings.length > 0 && this.#activations.length > 0;
  }

  #sum(words: Float32Array, { positions, positionOffset, types }: Embeddings): Float32Array {
    const width = this.#numbersOf(this.#proposal.wordsNorm.bias).length;
    const [placed, typed] = [this.#numbersOf(positions), types === null ? null : this.#numbersOf(types)];
    const first = positionOffset * width;
    return words.map((value, i) => value + placed[first + i]! + (typed?.[i % width] ?? 0));
  }

  /** Returns the layout. `layoutOf` names the tensors of a product. */
  layout(
    heads: Heads,
    words: EncoderLayout['words'],
    layoutOf: (product: Product) => ProductLayout,
  ): EncoderLayout | undefined {
    const { output, wordsNorm, widening, layers } = this.#proposal;
    const [embeddings] = this.#embeddings;
    const [activation] = this.#activations;
    if (!embeddings || !activation || heads.size % lanes !== 0) return undefined;
    return {
      heads: heads.count,
      headSize: heads.size,
      activation,
      output,
      words,
      ...embeddings,
      wordsNorm,
      widening: widening && layoutOf(widening),
      layers: layers.map((layer) => ({
        ...layer,
        queries: layoutOf(layer.queries),
        keys: layoutOf(layer.keys),
        values: layoutOf(layer.values),
        context: layoutOf(layer.context),
        up: layoutOf(layer.up),
        down: layoutOf(layer.down),
      })),
    };
  }
}

/** Keeps the candidates whose error is small, and about the smallest. */
function closest<T>(candidates: readonly T[], errorOf: (candidate: T) => number): readonly T[] {
  const errors = candidates.map(errorOf);
  const most = Math.min(tolerance, unlikely * Math.min(...errors));
  return candidates.filter((_, i) => errors[i]! <= most);
}

/** Yields the nodes that compute a value from those in `known`, the last ones first. */
function* nodesBefore(name: string, known: readonly string[], document: OnnxDocument): Generator<GraphNode> {
  const names = new Set([name]);
  // The set grows while the loop goes through it.
  for (const next of names) {
    const node = known.includes(next) ? undefined : document.producers.get(next);
    if (!node) continue;
    yield node;
    for (const input of node.inputs) names.add(input);
  }
}

/** Returns the normalization that computes a value, as one operator or as several. */
function normBefore(
  name: string,
  known: readonly string[],
  width: number,
  document: OnnxDocument,
): NormLayout | undefined {
  let [scale, bias, epsilon]: [string?, string?, number?] = [];
  const isVector = (input: string) => isTensor(input, [width], document);
  for (const { op, inputs, attributes } of nodesBefore(name, known, document)) {
    if (op === 'LayerNormalization') {
      [, scale, bias] = inputs;
      epsilon = attributes.get('epsilon')?.float ?? defaultEpsilon;
      break;
    }
    if (op === 'Mul') scale ??= inputs.find(isVector);
    else if (op === 'Add') bias ??= inputs.find(isVector);
    else if (op === 'Sqrt') epsilon ??= summandOf(inputs[0]!, document);
  }
  if (!scale || !bias || epsilon === undefined || ![scale, bias].every(isVector)) return undefined;
  const [factors, summands] = [scale, bias].map((input) => initializerOf(input, document)!.name);
  return { scale: factors!, bias: summands!, epsilon };
}

/** Returns the constant number that a node adds. */
function summandOf(name: string, document: OnnxDocument): number | undefined {
  for (const input of document.producers.get(name)?.inputs ?? []) {
    const tensor =
      initializerOf(input, document) ?? document.producers.get(input)?.attributes.get('value')?.tensor;
    if (tensor?.type === elementTypes.float32 && tensor.shape.join('') <= '1')
      return bytesIn(tensor, document.file).readFloatLE();
  }
  return undefined;
}

/** Returns the names of the tables, beside that of words, that a value is computed from. */
function tablesBefore(name: string, words: string, width: number, document: OnnxDocument): string[] {
  const inputs = [...nodesBefore(name, [words], document)].flatMap((node) => node.inputs);
  const tables = inputs.flatMap((input) => {
    const tensor = initializerOf(input, document);
    return tensor && isTensor(input, [tensor.shape[0]!, width], document) ? [tensor.name] : [];
  });
  return [...new Set(tables)];
}

/** Reports whether a name is that of a float32 tensor of this shape. */
function isTensor(name: string, shape: readonly number[], document: OnnxDocument): boolean {
  const tensor = initializerOf(name, document);
  return tensor?.type === elementTypes.float32 && !!tensor.elements && tensor.shape.join() === shape.join();
}

function numbersIn(name: string, document: OnnxDocument): Float32Array {
  const bytes = bytesIn(document.initializers.get(name)!, document.file);
  // A copy, because the elements need not be aligned.
  return new Float32Array(new Uint8Array(bytes).buffer);
}
