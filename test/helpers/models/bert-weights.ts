/** A BERT's sizes; the defaults are tiny. */
export interface BertShape {
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly feedForwardWidth: number;
  readonly vocabularySize: number;
  readonly maxPositions: number;
  /** Another seed, another model. */
  readonly seed: number;
}

export const tinyBert: BertShape = {
  layers: 2,
  width: 16,
  heads: 2,
  feedForwardWidth: 32,
  vocabularySize: 400,
  maxPositions: 64,
  seed: 1,
};

export const tokenTypes = 2;

export interface Dense {
  /** `rows` × `columns`, row-major. */
  readonly kernel: Float32Array;
  readonly bias: Float32Array;
  readonly rows: number;
  readonly columns: number;
}

export interface Norm {
  readonly scale: Float32Array;
  readonly offset: Float32Array;
}

export interface BertLayer {
  readonly query: Dense;
  readonly key: Dense;
  readonly value: Dense;
  readonly attended: Dense;
  readonly attentionNorm: Norm;
  readonly inner: Dense;
  readonly outer: Dense;
  readonly outputNorm: Norm;
}

export interface BertWeights {
  readonly shape: BertShape;
  /** `vocabularySize` × `width`. */
  readonly words: Float32Array;
  /** `maxPositions` × `width`. */
  readonly positions: Float32Array;
  /** 2 × `width`. */
  readonly tokenTypes: Float32Array;
  readonly embeddingNorm: Norm;
  readonly layers: readonly BertLayer[];
  /** What makes a score of the first token's vector. */
  readonly pooler: Dense;
  readonly classifier: Dense;
}

/** Random weights, the same for the same shape; each layer keeps its input's variance, so that every part matters. */
export function bertWeights(shape: BertShape): BertWeights {
  const { width, feedForwardWidth } = shape;
  const random = randomNumbers(shape.seed);
  const values = (count: number, deviation: number): Float32Array => {
    const made = new Float32Array(count);
    // Uniform numbers from −√3 to √3 have the variance 1.
    for (let i = 0; i < count; i++) made[i] = (2 * random() - 1) * Math.sqrt(3) * deviation;
    return made;
  };
  const dense = (rows: number, columns: number): Dense => ({
    kernel: values(rows * columns, 1 / Math.sqrt(rows)),
    bias: values(columns, 0.1),
    rows,
    columns,
  });
  const norm = (): Norm => ({ scale: values(width, 0.1).map((x) => 1 + x), offset: values(width, 0.1) });
  return {
    shape,
    words: values(shape.vocabularySize * width, 1),
    positions: values(shape.maxPositions * width, 0.3),
    tokenTypes: values(tokenTypes * width, 0.5),
    embeddingNorm: norm(),
    layers: Array.from({ length: shape.layers }, () => ({
      query: dense(width, width),
      key: dense(width, width),
      value: dense(width, width),
      attended: dense(width, width),
      attentionNorm: norm(),
      inner: dense(width, feedForwardWidth),
      outer: dense(feedForwardWidth, width),
      outputNorm: norm(),
    })),
    pooler: dense(width, width),
    classifier: dense(width, 1),
  };
}

/** Numbers from 0 to 1 by xorshift32 (Marsaglia 2003, "Xorshift RNGs"). */
function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
