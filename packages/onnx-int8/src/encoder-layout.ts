/**
 * What an encoder computes, for a program that computes it without ONNX Runtime. All names are those of tensors in the
 * model's file. A converted file states it in its metadata: safetensors, or a graph that version 4 or 5 of the conversion
 * has written.
 */

/** Weights that are added in float32, because they are far above their column: see `QuantizedMatrix`. */
export interface ApartNames {
  /** int64: the rows of the matrix that have some. */
  readonly rows: string;
  /** float32, those rows × columns: the weights apart, and 0 for all others. */
  readonly values: string;
}

/** A product: input × matrix, with its scales, plus the bias. */
export interface ProductLayout {
  /** int8, rows × columns, row-major. Without scales float32, of any precision in the file, with its columns one after the other. */
  readonly values: string;
  /** float32, one for each column. Null if the matrix is not rounded. */
  readonly scales: string | null;
  readonly apart?: ApartNames | null;
  /** float32, one for each column; null if nothing is added. */
  readonly bias: string | null;
  /** float32, one for each row: what the input's columns are multiplied by before they are rounded. */
  readonly factors: string | null;
  /**
   * How the input is rounded: with this scale, where 128 stands for 0; with a scale for each row, where 128 stands for 0
   * (`rows`); or with one where 16 does (`activated`), as after a GELU.
   */
  readonly rounding: number | 'activated' | 'rows';
}

/** Normalization: float32 tensors of one number for each column. */
export interface NormLayout {
  readonly scale: string;
  /** Null if nothing is added. */
  readonly bias: string | null;
  readonly epsilon: number;
  /** What is added to each number of `scale`. Default: 0. */
  readonly scaleOffset?: number;
}

/**
 * A layer has two halves, attention and the products `up` and `down`. Each adds its result to what it begins with. A part
 * that is missing is left out.
 */
export interface LayerLayout {
  /** What queries, keys and values read. */
  readonly attentionNorm?: NormLayout | null;
  readonly queries: ProductLayout;
  readonly keys: ProductLayout;
  readonly values: ProductLayout;
  /** Normalize each head. */
  readonly queryNorm?: NormLayout | null;
  readonly keyNorm?: NormLayout | null;
  /** Rotary positions, with this base. */
  readonly turnBase?: number | null;
  /** How many tokens before and after its own one a query sees. Default: all. */
  readonly before?: number | null;
  readonly after?: number | null;
  /** The product of what attention returns. */
  readonly context: ProductLayout;
  /** Normalizes its result before it is added. */
  readonly contextResultNorm?: NormLayout | null;
  /** Normalizes the sum. */
  readonly contextNorm?: NormLayout | null;
  /** What `gate` and `up` read. */
  readonly upNorm?: NormLayout | null;
  /** The product whose activation multiplies the result of `up`. Without it, the result of `up` is activated. */
  readonly gate?: ProductLayout | null;
  readonly up: ProductLayout;
  readonly down: ProductLayout;
  readonly downResultNorm?: NormLayout | null;
  readonly norm?: NormLayout | null;
}

/** A product of a text's vector, after the pooling. */
export interface DenseLayout {
  readonly product: ProductLayout;
  readonly columns: number;
  readonly activation: 'gelu' | 'identity' | 'relu' | 'tanh';
  /** Normalizes what is activated. */
  readonly norm?: NormLayout | null;
}

export interface EncoderLayout {
  readonly heads: number;
  /** Heads of keys and values. Default: as many as of queries. */
  readonly keyHeads?: number;
  readonly headSize: number;
  readonly activation: 'gelu' | 'gelu_tanh' | 'silu';
  /** Whether all norms divide by the root of the mean square, and subtract no mean. */
  readonly usesRootMeanSquare?: boolean;
  /** The output of the graph that has the last layer's values; undefined if there is no graph. */
  readonly output?: string;
  /** int8, words × width, and float32, one scale for each word; or float32 without scales. */
  readonly words: { readonly values: string; readonly scales: string | null };
  /** What words are multiplied by. Default: 1. */
  readonly wordFactor?: number;
  /** float32, positions × width. The first token of a text has the row `positionOffset`. Null if positions are rotary. */
  readonly positions: string | null;
  /**
   * Rows of the table of positions, or how many positions are turned. A text has at most `positionOffset` fewer tokens.
   * Older conversions state it only for rotary positions.
   */
  readonly positionCount?: number;
  readonly positionOffset: number;
  /** float32, buckets × heads: what is added to a score for the distance from the query to the key, as in MPNet. */
  readonly distances?: string | null;
  /** float32, types × width; null if there are none. */
  readonly types: string | null;
  readonly wordsNorm: NormLayout | null;
  /** The product that widens the normalized embeddings; null if they have the width of the layers. */
  readonly widening: ProductLayout | null;
  readonly layers: readonly LayerLayout[];
  /** How often all layers are computed, one time after the other, as in ALBERT. Default: 1. */
  readonly repeats?: number;
  readonly lastNorm?: NormLayout | null;
  readonly dense?: readonly DenseLayout[];
  /** How tokens are pooled for the score of a pair, which the last of `dense` makes. Undefined: the encoder makes vectors. */
  readonly scorePooling?: 'mean' | 'cls' | 'last';
}
