import type { PoolingMode } from './pooling.ts';

/** What may be set where a model's files don't say it, or say it wrongly. Each is named as in the environment. */
export interface ModelOverrides {
  /** `EMBEDDING_POOLING`: how the tokens' vectors become the text's. */
  readonly pooling?: PoolingMode | undefined;
  /** `EMBEDDING_MAX_TOKENS`: tokens of one text that the model reads, special tokens and prompt included. */
  readonly maxTokens?: number | undefined;
  /** `EMBEDDING_QUERY_PROMPT`: what stands before each query; may be empty. */
  readonly queryPrompt?: string | undefined;
  /** `EMBEDDING_DOCUMENT_PROMPT`: what stands before each document; may be empty. */
  readonly documentPrompt?: string | undefined;
  /** `EMBEDDING_DTYPE`: which of the model's files, as `q8` for `onnx/model_quantized.onnx`. */
  readonly dtype?: string | undefined;
}
