/** Small encoders with random weights, as different exporters write them. */
import { GraphBuilder, type OnnxModel } from '../src/index.ts';
import { noise } from './small-graph.ts';

export const width = 64;
const heads = 4;
const headSize = width / heads;
const innerWidths = [96, 64];
const vocabulary = 100;
const positions = 40;
const paddingId = 1;
const toFloat = { to: { int: 1 } };

export interface EncoderKind {
  /** RoBERTa counts tokens from the padding's id on, instead of columns from 0. */
  readonly countsTokens?: boolean;
  readonly tokenTypes?: boolean;
  /** Begins with a product, which widens the embeddings, as ALBERT and ELECTRA do. */
  readonly projects?: boolean;
  /** Normalization as several operators. */
  readonly splitsNorm?: boolean;
  readonly biasFirst?: boolean;
  /** As PyTorch's `scaled_dot_product_attention` is exported: both sides are scaled, and no share is a NaN. */
  readonly isSdpa?: boolean;
  /** Transposes keys twice. */
  readonly turnsTwice?: boolean;
  /** That of the first layer, if the second one has another. */
  readonly activation?: 'erf' | 'tanh' | 'Gelu' | 'Relu';
  readonly secondActivation?: EncoderKind['activation'];
  /** The second layer's inner values are so many times larger. Then both formulas of the GELU fit them. */
  readonly secondSize?: number;
  /** The second layer has fewer columns inside. */
  readonly narrows?: boolean;
  /** The row of the first token, whatever its id. */
  readonly firstPosition?: number;
  /** Leaves out the biases of the products before the activations. */
  readonly omitsBias?: boolean;
  /** Adds the input of the layer, instead of its middle, to what it returns. */
  readonly skipsFar?: boolean;
  /** Adds the positions after normalizing the words. */
  readonly placesLate?: boolean;
  /** Lets a token see only those before it. */
  readonly isCausal?: boolean;
  /** Has a value inside a layer as a second output. */
  readonly showsInner?: boolean;
  readonly scoreFactor?: number;
}

interface LayerKind {
  readonly activation?: EncoderKind['activation'] | undefined;
  readonly size?: number;
  readonly inner?: number | undefined;
}

/** Returns a graph whose output `y` has the tokens' vectors. */
export function encoderModel(kind: EncoderKind): OnnxModel {
  const graph = new GraphBuilder();
  new EncoderWriter(graph, kind).write();
  const int64 = (name: string) => ({ name, type: 'int64', shape: ['texts', 'tokens'] }) as const;
  const hidden = ['texts', 'tokens', width];
  return {
    name: 'encoder',
    opset: 17,
    otherOpsets: { 'com.microsoft': 1 },
    nodes: graph.nodes,
    initializers: graph.initializers,
    inputs: ['input_ids', 'attention_mask', ...(kind.tokenTypes ? ['token_type_ids'] : [])].map(int64),
    outputs: ['y', ...(kind.showsInner ? ['inner'] : [])].map((name) => ({
      name,
      type: 'float32',
      shape: hidden,
    })),
  };
}

class EncoderWriter {
  readonly #graph: GraphBuilder;
  readonly #kind: EncoderKind;
  #seed = 1;

  constructor(graph: GraphBuilder, kind: EncoderKind) {
    this.#graph = graph;
    this.#kind = kind;
  }

  write(): void {
    const mask = this.#mask();
    let value = this.#embeddings();
    if (this.#kind.projects) value = this.#dense(value, width / 2, width);
    value = this.#layer(value, mask, this.#kind);
    const { activation, secondActivation = activation, secondSize = 1, narrows } = this.#kind;
    const second = { activation: secondActivation, size: secondSize, inner: innerWidths[narrows ? 1 : 0] };
    value = this.#layer(value, mask, second);
    this.#graph.output('y', 'Identity', [value]);
  }

  #embeddings(): string {
    const graph = this.#graph;
    const words = graph.op('Gather', [this.#table(vocabulary), 'input_ids']);
    const places = graph.op('Gather', [this.#table(positions), this.#places()]);
    if (this.#kind.placesLate) return graph.op('Add', [this.#norm(words, this.#embedded), places]);
    const placed = graph.op('Add', [words, places]);
    if (!this.#kind.tokenTypes) return this.#norm(placed, this.#embedded);
    const types = graph.op('Gather', [this.#table(2), 'token_type_ids']);
    return this.#norm(graph.op('Add', [placed, types]), this.#embedded);
  }

  #places(): string {
    const graph = this.#graph;
    if (this.#kind.countsTokens) {
      const isPadding = graph.op('Equal', ['input_ids', graph.index(paddingId)]);
      const tokens = graph.op('Cast', [graph.op('Not', [isPadding])], { to: { int: 7 } });
      const counted = graph.op('Mul', [graph.op('CumSum', [tokens, graph.index(1)]), tokens]);
      return graph.op('Add', [counted, graph.index(paddingId)]);
    }
    const columns = graph.op('Gather', [graph.op('Shape', ['input_ids']), graph.index(1)]);
    const places = graph.op('Range', [graph.index(0), columns, graph.index(1)]);
    const { firstPosition } = this.#kind;
    return firstPosition ? graph.op('Add', [places, graph.index(firstPosition)]) : places;
  }

  #mask(): string {
    const graph = this.#graph;
    const isToken = graph.op('Cast', ['attention_mask'], toFloat);
    const hidden = graph.op('Mul', [graph.op('Sub', [isToken, graph.scalar(1)]), graph.scalar(1e4)]);
    const mask = graph.op('Unsqueeze', [hidden, graph.integers(1, 2)]);
    if (!this.#kind.isCausal) return mask;
    const [columns, rows] = [this.#places(), graph.op('Unsqueeze', [this.#places(), graph.integers(1)])];
    const later = graph.op('Cast', [graph.op('Greater', [columns, rows])], toFloat);
    return graph.op('Add', [mask, graph.op('Mul', [later, graph.scalar(-1e4)])]);
  }

  #layer(input: string, mask: string, { activation, size = 1, inner = innerWidths[0]! }: LayerKind): string {
    const graph = this.#graph;
    const attended = this.#dense(this.#attention(input, mask), width, width);
    const middle = this.#norm(graph.op('Add', [attended, input]));
    if (this.#kind.showsInner) this.#show(middle);
    const { omitsBias, skipsFar } = this.#kind;
    const active = this.#activation(this.#dense(middle, width, inner, !omitsBias, size), activation);
    return this.#norm(graph.op('Add', [this.#dense(active, inner, width), skipsFar ? input : middle]));
  }

  #show(value: string): void {
    if (!this.#graph.nodes.some(({ output }) => output === 'inner'))
      this.#graph.output('inner', 'Identity', [value]);
  }

  #attention(input: string, mask: string): string {
    const graph = this.#graph;
    const { isSdpa, turnsTwice, scoreFactor = headSize ** -0.5 } = this.#kind;
    const split = (perm: number[]) =>
      graph.op(
        'Transpose',
        [graph.op('Reshape', [this.#dense(input, width, width), graph.integers(0, 0, heads, headSize)])],
        { perm: { ints: perm } },
      );
    const forth = [0, 2, 1, 3];
    const turned = () => graph.op('Transpose', [split(forth)], { perm: { ints: [0, 1, 3, 2] } });
    const [query, key, value] = [split(forth), turnsTwice ? turned() : split([0, 2, 3, 1]), split(forth)];
    const scaled = (name: string, factor: number) => graph.op('Mul', [name, graph.scalar(factor)]);
    const half = Math.sqrt(scoreFactor);
    const scores = isSdpa
      ? graph.op('MatMul', [scaled(query, half), scaled(key, half)])
      : graph.op('Div', [graph.op('MatMul', [query, key]), graph.scalar(1 / scoreFactor)]);
    const shares = graph.op('Softmax', [graph.op('Add', isSdpa ? [mask, scores] : [scores, mask])], {
      axis: { int: isSdpa ? 3 : -1 },
    });
    const sound = isSdpa ? graph.op('Where', [graph.op('IsNaN', [shares]), graph.scalar(0), shares]) : shares;
    const back = graph.op('Transpose', [graph.op('MatMul', [sound, value])], { perm: { ints: forth } });
    return graph.op('Reshape', [back, graph.integers(0, 0, width)]);
  }

  #activation(input: string, activation: EncoderKind['activation'] = 'erf'): string {
    const graph = this.#graph;
    if (activation === 'Relu') return graph.op('Relu', [input]);
    if (activation === 'Gelu') {
      const output = graph.op('Gelu', [input]);
      graph.nodes.push({ ...graph.nodes.pop()!, domain: 'com.microsoft' });
      return output;
    }
    if (activation === 'tanh') {
      const cube = graph.op('Mul', [graph.op('Pow', [input, graph.scalar(3)]), graph.scalar(0.044715)]);
      const scaled = graph.op('Mul', [graph.op('Add', [input, cube]), graph.scalar(Math.sqrt(2 / Math.PI))]);
      const whole = graph.op('Add', [graph.op('Tanh', [scaled]), graph.scalar(1)]);
      return graph.op('Mul', [graph.op('Mul', [input, graph.scalar(0.5)]), whole]);
    }
    const erf = graph.op('Erf', [graph.op('Div', [input, graph.scalar(Math.SQRT2)])]);
    const whole = graph.op('Mul', [input, graph.op('Add', [erf, graph.scalar(1)])]);
    return graph.op('Mul', [whole, graph.scalar(0.5)]);
  }

  #norm(input: string, columns = width): string {
    const graph = this.#graph;
    const [gain, offset] = [this.#tensor([columns], 0.1, 1), this.#tensor([columns], 0.1)];
    if (!this.#kind.splitsNorm) return graph.op('LayerNormalization', [input, gain, offset]);
    const last = { axes: { ints: [-1] } };
    const centered = graph.op('Sub', [input, graph.op('ReduceMean', [input], last)]);
    const squares = graph.op('ReduceMean', [graph.op('Pow', [centered, graph.scalar(2)])], last);
    const size = graph.op('Sqrt', [graph.op('Add', [squares, graph.scalar(1e-5)])]);
    return graph.op('Add', [graph.op('Mul', [graph.op('Div', [centered, size]), gain]), offset]);
  }

  #dense(input: string, rows: number, columns: number, hasBias = true, size = 1): string {
    const graph = this.#graph;
    const product = graph.op('MatMul', [input, this.#tensor([rows, columns], (size * 2) / Math.sqrt(rows))]);
    if (!hasBias) return product;
    const bias = this.#tensor([columns], 0.1);
    return graph.op('Add', this.#kind.biasFirst ? [bias, product] : [product, bias]);
  }

  get #embedded(): number {
    return this.#kind.projects ? width / 2 : width;
  }

  #table = (rows: number): string => this.#tensor([rows, this.#embedded], 1);

  #tensor(shape: readonly number[], size: number, middle = 0): string {
    const values = noise(
      shape.reduce((a, b) => a * b),
      this.#seed++,
    );
    return this.#graph.tensor(
      values.map((value) => middle + size * value),
      shape,
    );
  }
}
