/**
 * The Universal Sentence Encoder lite as an ONNX graph: the transformer variant of Cer et al., "Universal Sentence
 * Encoder" (2018, arXiv:1803.11175), with the details of the published TensorFlow.js graph.
 */
import { GraphBuilder, type OnnxModel } from '../../onnx-int8/src/index.ts';
import type { Weights } from './weights.ts';

export const dimensions = 512;
export const maxTokens = 128;

const vocabularyRows = 8002;
const embeddingWidth = 256;
const feedForwardWidth = 1536;
const heads = 4;
const layerNormEpsilon = 1e-6;
const maskedScore = -1e9;
const minSquaredNorm = 1e-12;
// The published graph's suffix for a weight that was joined from partitions.
const joined = 'ConcatPartitions/concat';
// The first opset with LayerNormalization.
const opset = 17;

/**
 * Returns the graph. Between attention and pooling, the tokens of all texts are rows of one matrix without padding,
 * because padding costs as much as tokens there. Attention and pooling need a matrix for each text.
 *
 * `input_ids` and `attention_mask` (int64, batch × tokens) → `sentence_embedding` (float32, batch × 512, unit vectors).
 */
export function encoderModel(weights: Weights): OnnxModel {
  const graph = new GraphBuilder();
  const encoder = new Encoder(graph, weights);
  encoder.pool(encoder.layer(1, dimensions, encoder.layer(0, embeddingWidth, encoder.embed())));
  return {
    name: 'universal-sentence-encoder-lite',
    opset,
    nodes: graph.nodes,
    initializers: graph.initializers,
    inputs: ['input_ids', 'attention_mask'].map((name) => ({
      name,
      type: 'int64',
      shape: ['batch', 'tokens'],
    })),
    outputs: [{ name: 'sentence_embedding', type: 'float32', shape: ['batch', dimensions] }],
  };
}

class Encoder {
  readonly #graph: GraphBuilder;
  readonly #weights: Weights;
  /** batch × tokens: 1 for a token, 0 for padding. */
  readonly #mask: string;
  /** batch × 1 × 1 × tokens: the terms to add to the attention scores. */
  readonly #maskedScores: string;
  readonly #inputShape: string;
  /** rows: the index in batch·tokens of each position that is no padding. */
  readonly #positions: string;
  /** batch·tokens: the row of each position. Padding has the row of the token before it. */
  readonly #rows: string;

  constructor(graph: GraphBuilder, weights: Weights) {
    this.#graph = graph;
    this.#weights = weights;
    this.#mask = graph.op('Cast', ['attention_mask'], { to: { int: 1 } });
    const padding = graph.op('Sub', [graph.scalar(1), this.#mask]);
    const scores = graph.op('Mul', [padding, graph.scalar(maskedScore)]);
    this.#maskedScores = graph.op('Unsqueeze', [scores, graph.integers(1, 2)]);
    this.#inputShape = graph.op('Shape', ['input_ids']);
    const flat = graph.op('Reshape', ['attention_mask', graph.integers(-1)]);
    // The first position counts as a token in any case, because no operator can look up a row where there are none.
    const others = graph.op('Slice', [flat, graph.integers(1), graph.integers(Number.MAX_SAFE_INTEGER)]);
    const isToken = graph.op('Concat', [graph.integers(1), others], { axis: { int: 0 } });
    this.#positions = graph.op('Squeeze', [graph.op('NonZero', [isToken]), graph.integers(0)]);
    this.#rows = graph.op('Sub', [graph.op('CumSum', [isToken, graph.index(0)]), graph.index(1)]);
  }

  /** Returns rows × 256: twice the embedding plus the position signal. */
  embed(): string {
    const graph = this.#graph;
    const shape = [vocabularyRows, embeddingWidth];
    // Doubling a float is exact, so the table can contain the doubled values.
    const table = graph.tensor(
      this.#weights.get('Embeddings_en', shape).map((x) => 2 * x),
      shape,
    );
    const timescales = this.#weights.get('TimingSignal/ExpandDims_1', [1, embeddingWidth / 2]);
    const positions = graph.tensor(positionSignal(timescales), [maxTokens, embeddingWidth]);
    const tokens = graph.op('Gather', [this.#inputShape, graph.index(1)]);
    const signal = graph.op('Gather', [positions, graph.op('Mod', [this.#positions, tokens])]);
    const ids = this.#withoutPadding(graph.op('Reshape', ['input_ids', graph.integers(-1)]));
    return graph.op('Add', [graph.op('Gather', [table, ids]), signal]);
  }

  /** Adds a pre-norm transformer layer: rows × `width` → rows × 512. */
  layer(layer: 0 | 1, width: number, input: string): string {
    const graph = this.#graph;
    const prefix = `Layer_${layer}/TransformerLayer`;
    const attended = this.#attention(`${prefix}/MultiheadAttention`, width, this.#norm(prefix, width, input));
    const residual =
      width === dimensions
        ? input
        : this.#dense(
            input,
            [width, dimensions],
            `${prefix}/dense/kernel/${joined}`,
            `${prefix}/dense/bias/${joined}`,
          );
    const middle = graph.op('Add', [attended, residual]);
    const inner = this.#convolution(
      this.#norm(`${prefix}/FFN`, dimensions, middle),
      [dimensions, feedForwardWidth],
      `${prefix}/FFN/conv1`,
    );
    const active = graph.op('Relu', [inner]);
    const outer = this.#convolution(active, [feedForwardWidth, dimensions], `${prefix}/FFN/conv2`);
    return graph.op('Add', [outer, middle]);
  }

  /** Adds the mean over a text's tokens, a dense layer with tanh, and the normalization to unit length. */
  pool(input: string): void {
    const graph = this.#graph;
    const terms = graph.op('Unsqueeze', [this.#mask, graph.integers(1)]);
    const padded = this.#withPadding(input, dimensions);
    const sum = graph.op('Squeeze', [graph.op('MatMul', [terms, padded]), graph.integers(1)]);
    const tokens = graph.op('ReduceSum', [this.#mask, graph.integers(1)], { keepdims: { int: 1 } });
    const mean = graph.op('Div', [sum, graph.op('Max', [tokens, graph.scalar(1)])]);
    const hidden = this.#dense(mean, [dimensions, dimensions], 'tanh_layer_0/weights', 'tanh_layer_0/bias');
    const direction = graph.op('Tanh', [hidden]);
    const squares = graph.op('ReduceSumSquare', [direction], { axes: { ints: [1] }, keepdims: { int: 1 } });
    const norm = graph.op('Sqrt', [graph.op('Max', [squares, graph.scalar(minSquaredNorm)])]);
    graph.output('sentence_embedding', 'Div', [direction, norm]);
  }

  #attention(prefix: string, width: number, input: string): string {
    const graph = this.#graph;
    const headWidth = width / heads;
    const transformed = this.#transform(input, [width, 3 * width], `${prefix}/qkv_transform_single`);
    const split = this.#withPadding(transformed, 3, heads, headWidth);
    const part = (index: number, order: number[]) => {
      const rows = graph.op('Gather', [split, graph.index(index)], { axis: { int: 2 } });
      return graph.op('Transpose', [rows], { perm: { ints: order } });
    };
    const headsFirst = [0, 2, 1, 3];
    const query = graph.op('Mul', [part(0, headsFirst), graph.scalar(1 / Math.sqrt(headWidth))]);
    const key = part(1, [0, 2, 3, 1]);
    const scores = graph.op('Add', [graph.op('MatMul', [query, key]), this.#maskedScores]);
    const shares = graph.op('Softmax', [scores], { axis: { int: -1 } });
    const contexts = graph.op('MatMul', [shares, part(2, headsFirst)]);
    const tokensFirst = graph.op('Transpose', [contexts], { perm: { ints: headsFirst } });
    const context = this.#withoutPadding(graph.op('Reshape', [tokensFirst, graph.integers(-1, width)]));
    return this.#transform(context, [width, dimensions], `${prefix}/output_transform_single`);
  }

  /** Returns the rows of batch·tokens × any shape. */
  #withoutPadding(input: string): string {
    return this.#graph.op('Gather', [input, this.#positions]);
  }

  /** Returns batch × tokens × `shape` for rows of as many numbers. */
  #withPadding(input: string, ...shape: number[]): string {
    const graph = this.#graph;
    const padded = graph.op('Concat', [this.#inputShape, graph.integers(...shape)], { axis: { int: 0 } });
    return graph.op('Reshape', [graph.op('Gather', [input, this.#rows]), padded]);
  }

  #norm(prefix: string, width: number, input: string): string {
    const parameter = (kind: string) => {
      const name = `${prefix}/layer_prepostprocess/layer_norm/layer_norm_${kind}/${joined}`;
      return this.#graph.tensor(this.#weights.get(name, [width]), [width]);
    };
    return this.#graph.op('LayerNormalization', [input, parameter('scale'), parameter('bias')], {
      axis: { int: -1 },
      epsilon: { float: layerNormEpsilon },
    });
  }

  #transform(input: string, shape: [number, number], prefix: string): string {
    return this.#dense(input, shape, `${prefix}/kernel/part_0`, `${prefix}/bias/${joined}`);
  }

  #convolution(input: string, shape: [number, number], prefix: string): string {
    return this.#dense(input, shape, `${prefix}/Tensordot/Reshape_1`, `${prefix}/bias/${joined}`);
  }

  /** Returns `input` · kernel + bias. `kernel` and `bias` are names of weights. */
  #dense(input: string, [rows, columns]: [number, number], kernel: string, bias: string): string {
    const graph = this.#graph;
    const matrix = graph.tensor(this.#weights.get(kernel, [rows, columns]), [rows, columns]);
    const offsets = graph.tensor(this.#weights.get(bias, [columns]), [columns]);
    return graph.op('Add', [graph.op('MatMul', [input, matrix]), offsets]);
  }
}

/** Returns 128 × 256; row p is sin(p·t), then cos(p·t), rounded to float32 where the published graph rounds. */
function positionSignal(timescales: Float32Array): Float32Array {
  const half = timescales.length;
  const signal = new Float32Array(maxTokens * 2 * half);
  for (let position = 0; position < maxTokens; position++) {
    timescales.forEach((timescale, i) => {
      const angle = Math.fround(position * timescale);
      signal[position * 2 * half + i] = Math.sin(angle);
      signal[position * 2 * half + half + i] = Math.cos(angle);
    });
  }
  return signal;
}
