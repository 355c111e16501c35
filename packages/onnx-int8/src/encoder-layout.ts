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
  /** float32, one for each column. */
  readonly bias: string;
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
  readonly bias: string;
  readonly epsilon: number;
}

export interface LayerLayout {
  readonly queries: ProductLayout;
  readonly keys: ProductLayout;
  readonly values: ProductLayout;
  /** The product of what attention returns. Its result is added to the layer's input, and normalized. */
  readonly context: ProductLayout;
  readonly contextNorm: NormLayout;
  /** The product before the activation, and the one after it, whose result is added and normalized again. */
  readonly up: ProductLayout;
  readonly down: ProductLayout;
  readonly norm: NormLayout;
}

export interface EncoderLayout {
  readonly heads: number;
  readonly headSize: number;
  readonly activation: 'gelu' | 'gelu_tanh';
  /** The output of the graph that has the last layer's values; undefined if there is no graph. */
  readonly output?: string;
  /** int8, words × width, and float32, one scale for each word; or float32 without scales. */
  readonly words: { readonly values: string; readonly scales: string | null };
  /** float32, positions × width. The first token of a text has the row `positionOffset`. */
  readonly positions: string;
  readonly positionOffset: number;
  /** float32, buckets × heads: what is added to a score for the distance from the query to the key, as in MPNet. */
  readonly distances?: string | null;
  /** float32, types × width; null if there are none. */
  readonly types: string | null;
  readonly wordsNorm: NormLayout;
  /** The product that widens the normalized embeddings; null if they have the width of the layers. */
  readonly widening: ProductLayout | null;
  readonly layers: readonly LayerLayout[];
}
