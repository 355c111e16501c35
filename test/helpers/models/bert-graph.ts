import { GraphBuilder, type OnnxModel, type OnnxValue } from '../../../packages/onnx-int8/src/index.ts';
import {
  type BertLayer,
  type BertWeights,
  type Dense,
  type Norm,
  tokenTypes as tokenTypeCount,
} from './bert-weights.ts';

export interface BertGraphOptions {
  /** Whether the graph takes `token_type_ids`; otherwise every token is of type 0. */
  readonly tokenTypes?: boolean;
  /**
   * The graph's outputs, in order; `sentence_embedding` and `pooler_output` are the mean over the tokens, not normalised,
   * and `logits` a cross-encoder's score. Any other name has the tokens' vectors.
   */
  readonly outputs?: readonly string[];
  /**
   * As an export of a language model: each token sees only those before it, with `position_ids` and an empty
   * past.
   */
  readonly decoder?: boolean;
  /** Rounds what each layer reads to 256 steps of the batch's range, as exports of the dtype q8 do. */
  readonly quantize?: boolean;
  /** What the outputs hold; the weights are float32. */
  readonly outputType?: 'float32' | 'float16';
}

export const layerNormEpsilon = 1e-12;
const maskedScore = -1e9;
const opset = 17;
const typeNumbers = { float16: 10 } as const;

/** `input_ids` and `attention_mask` (int64, batch × tokens), and what the options say → the outputs that they name. */
export function bertModel(weights: BertWeights, options: BertGraphOptions = {}): OnnxModel {
  const { width, heads } = weights.shape;
  const { outputs = ['last_hidden_state'], outputType = 'float32', decoder = false } = options;
  const graph = new GraphBuilder();
  const encoder = new BertEncoder(graph, weights, options);
  const hidden = weights.layers.reduce((input, layer, i) => encoder.layer(layer, i, input), encoder.embed());
  for (const name of outputs) {
    const isPerText = name === 'sentence_embedding' || name === 'pooler_output';
    const perText = isPerText ? encoder.mean(hidden) : hidden;
    const value = name === 'logits' ? encoder.score(hidden) : perText;
    const isCast = outputType !== 'float32';
    const typed = isCast ? graph.op('Cast', [value], { to: { int: typeNumbers[outputType] } }) : value;
    graph.output(name, 'Identity', [typed]);
  }
  const tokens = ['batch', 'tokens'];
  const int64 = (name: string, shape: readonly string[]): OnnxValue => ({ name, type: 'int64', shape });
  const past = ['batch', heads, 'past', width / heads];
  return {
    name: 'bert',
    opset,
    nodes: graph.nodes,
    initializers: graph.initializers,
    inputs: [
      int64('input_ids', tokens),
      int64('attention_mask', decoder ? ['batch', 'total'] : tokens),
      ...(options.tokenTypes ? [int64('token_type_ids', tokens)] : []),
      ...(decoder ? [int64('position_ids', tokens)] : []),
      ...(decoder ? weights.layers : []).flatMap((_, i): OnnxValue[] => [
        { name: `past_key_values.${i}.key`, type: 'float32', shape: past },
        { name: `past_key_values.${i}.value`, type: 'float32', shape: past },
      ]),
    ],
    outputs: outputs.map((name) => ({
      name,
      type: outputType,
      shape: shapeOf[name]?.(width) ?? [...tokens, width],
    })),
  };
}

const shapeOf: Readonly<Record<string, (width: number) => (string | number)[]>> = {
  sentence_embedding: (width) => ['batch', width],
  pooler_output: (width) => ['batch', width],
  logits: () => ['batch', 1],
};

/** The encoder of Devlin et al., "BERT" (2019, arXiv:1810.04805), without the pooler. */
class BertEncoder {
  readonly #graph: GraphBuilder;
  readonly #weights: BertWeights;
  readonly #options: BertGraphOptions;
  /** batch × tokens: 1 for a token, 0 for padding. */
  readonly #mask: string;
  /** What to add to the attention's scores. */
  readonly #maskedScores: string;
  /** A vector of one: how many columns. */
  readonly #tokens: string;

  constructor(graph: GraphBuilder, weights: BertWeights, options: BertGraphOptions) {
    this.#graph = graph;
    this.#weights = weights;
    this.#options = options;
    this.#mask = graph.op('Cast', ['attention_mask'], { to: { int: 1 } });
    const padding = graph.op('Sub', [graph.scalar(1), this.#mask]);
    const scores = graph.op('Mul', [padding, graph.scalar(maskedScore)]);
    const padded = graph.op('Unsqueeze', [scores, graph.integers(1, 2)]);
    const shape = graph.op('Shape', ['input_ids']);
    this.#tokens = graph.op('Slice', [shape, graph.integers(1), graph.integers(2)]);
    this.#maskedScores = options.decoder ? graph.op('Add', [padded, this.#future()]) : padded;
  }

  /** batch × tokens × width: word, position and token type, normalised. */
  embed(): string {
    const graph = this.#graph;
    const { vocabularySize, width, maxPositions } = this.#weights.shape;
    const words = graph.tensor(this.#weights.words, [vocabularySize, width]);
    const table = graph.tensor(this.#weights.positions, [maxPositions, width]);
    const positions = this.#options.decoder
      ? graph.op('Gather', [table, 'position_ids'])
      : graph.op('Slice', [table, graph.integers(0), this.#tokens, graph.integers(0)]);
    const placed = graph.op('Add', [graph.op('Gather', [words, 'input_ids']), positions]);
    const types = graph.tensor(this.#weights.tokenTypes, [tokenTypeCount, width]);
    const type = graph.op('Gather', [types, this.#options.tokenTypes ? 'token_type_ids' : graph.index(0)]);
    return this.#norm(graph.op('Add', [placed, type]), this.#weights.embeddingNorm);
  }

  /** A post-norm transformer layer: batch × tokens × width → the same. */
  layer(layer: BertLayer, index: number, input: string): string {
    const graph = this.#graph;
    const attended = this.#dense(this.#attention(layer, index, input), layer.attended);
    const middle = this.#norm(graph.op('Add', [attended, input]), layer.attentionNorm);
    const outer = this.#dense(this.#gelu(this.#dense(middle, layer.inner)), layer.outer);
    return this.#norm(graph.op('Add', [outer, middle]), layer.outputNorm);
  }

  /** batch × tokens × width → batch × width. */
  mean(hidden: string): string {
    const graph = this.#graph;
    const rows = graph.op('Unsqueeze', [this.#mask, graph.integers(1)]);
    const sum = graph.op('Squeeze', [graph.op('MatMul', [rows, hidden]), graph.integers(1)]);
    const tokens = graph.op('ReduceSum', [this.#mask, graph.integers(1)], { keepdims: { int: 1 } });
    return graph.op('Div', [sum, graph.op('Max', [tokens, graph.scalar(1)])]);
  }

  /** batch × tokens × width → batch × 1. */
  score(hidden: string): string {
    const graph = this.#graph;
    const { pooler, classifier } = this.#weights;
    const first = graph.op('Gather', [hidden, graph.index(0)], { axis: { int: 1 } });
    return this.#dense(graph.op('Tanh', [this.#dense(first, pooler)]), classifier);
  }

  #attention(layer: BertLayer, index: number, input: string): string {
    const graph = this.#graph;
    const { width, heads } = this.#weights.shape;
    const headWidth = width / heads;
    const part = (dense: Dense, past?: string) => {
      const split = graph.op('Reshape', [this.#dense(input, dense), graph.integers(0, 0, heads, headWidth)]);
      const rows = graph.op('Transpose', [split], { perm: { ints: [0, 2, 1, 3] } });
      return past && this.#options.decoder ? graph.op('Concat', [past, rows], { axis: { int: 2 } }) : rows;
    };
    const keys = part(layer.key, `past_key_values.${index}.key`);
    const columns = graph.op('Transpose', [keys], { perm: { ints: [0, 1, 3, 2] } });
    const products = graph.op('MatMul', [part(layer.query), columns]);
    const scaled = graph.op('Div', [products, graph.scalar(Math.sqrt(headWidth))]);
    const shares = graph.op('Softmax', [graph.op('Add', [scaled, this.#maskedScores])], {
      axis: { int: -1 },
    });
    const contexts = graph.op('MatMul', [shares, part(layer.value, `past_key_values.${index}.value`)]);
    const tokensFirst = graph.op('Transpose', [contexts], { perm: { ints: [0, 2, 1, 3] } });
    return graph.op('Reshape', [tokensFirst, graph.integers(0, 0, width)]);
  }

  /** tokens × tokens: what hides from each token those after it. */
  #future(): string {
    const graph = this.#graph;
    const count = graph.op('Squeeze', [this.#tokens]);
    const places = graph.op('Range', [graph.index(0), count, graph.index(1)]);
    const row = graph.op('Unsqueeze', [places, graph.integers(0)]);
    const column = graph.op('Unsqueeze', [places, graph.integers(1)]);
    const isAfter = graph.op('Cast', [graph.op('Greater', [row, column])], { to: { int: 1 } });
    return graph.op('Mul', [isAfter, graph.scalar(maskedScore)]);
  }

  /** x · (1 + erf(x / √2)) / 2, in the steps that exports write. */
  #gelu(input: string): string {
    const graph = this.#graph;
    const erf = graph.op('Erf', [graph.op('Div', [input, graph.scalar(Math.SQRT2)])]);
    const product = graph.op('Mul', [input, graph.op('Add', [erf, graph.scalar(1)])]);
    return graph.op('Mul', [product, graph.scalar(0.5)]);
  }

  #norm(input: string, { scale, offset }: Norm): string {
    const shape = [scale.length];
    const parameters = [this.#graph.tensor(scale, shape), this.#graph.tensor(offset, shape)];
    return this.#graph.op('LayerNormalization', [input, ...parameters], {
      axis: { int: -1 },
      epsilon: { float: layerNormEpsilon },
    });
  }

  #dense(input: string, { kernel, bias, rows, columns }: Dense): string {
    const graph = this.#graph;
    const read = this.#options.quantize
      ? graph.op('DequantizeLinear', outputsOf(graph, 'DynamicQuantizeLinear', [input], 3))
      : input;
    const product = graph.op('MatMul', [read, graph.tensor(kernel, [rows, columns])]);
    return graph.op('Add', [product, graph.tensor(bias, [columns])]);
  }
}

/** Adds a node of an operator with `count` outputs and returns their names. */
function outputsOf(graph: GraphBuilder, op: string, inputs: readonly string[], count: number): string[] {
  const names = Array.from({ length: count }, (_, i) => `${op}_${graph.nodes.length}_${i}`);
  const [output = '', ...otherOutputs] = names;
  graph.nodes.push({ op, inputs, output, otherOutputs, attributes: {} });
  return names;
}
