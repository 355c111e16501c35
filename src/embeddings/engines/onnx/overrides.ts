import type { PoolingMode } from './pooling.ts';

/** Settings that replace missing or wrong information in a model's files, each with its environment variable. */
export interface ModelOverrides {
  /** `EMBEDDING_POOLING`: how the tokens' vectors are combined into the text's vector. */
  readonly pooling?: PoolingMode | undefined;
  /** `EMBEDDING_MAX_TOKENS`: maximum number of tokens of one text, including special tokens and prompt. */
  readonly maxTokens?: number | undefined;
  /** `EMBEDDING_QUERY_PROMPT`: prefix of each query. Can be empty. */
  readonly queryPrompt?: string | undefined;
  /** `EMBEDDING_DOCUMENT_PROMPT`: prefix of each document. Can be empty. */
  readonly documentPrompt?: string | undefined;
  /** `EMBEDDING_DTYPE`: which graph to use, such as `q8` for `onnx/model_quantized.onnx`. */
  readonly dtype?: string | undefined;
}
