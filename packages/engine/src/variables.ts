import { httpAddress } from '../../small/src/http-address.ts';
import {
  choice,
  exactText,
  flag,
  isHeaderValue,
  list,
  notAHeaderValue,
  parsed,
  secret,
  setting,
  text,
  valid,
  whole,
} from '../../small/src/settings.ts';

// The settings of the environment that the engines read. docs/environment.md is written from the comments.

export const upstreamExample = 'http://127.0.0.1:11434/v1';
export const modelExample = 'BAAI/bge-small-en-v1.5';
export const rerankExample = 'Xenova/ms-marco-MiniLM-L-6-v2';
const hubAddress = 'https://huggingface.co';

/** The ways to combine the vectors of a text's tokens into one. */
export const poolingModes = ['mean', 'cls', 'last', 'max'] as const;

/** Reports whether `value` can be a dtype or the name of a graph, without folders. */
export function isDtype(value: string): boolean {
  // Rejects names that every object has, such as `__proto__`, which a lookup among file name endings would find.
  return /^[\w.-]+$/.test(value) && !(value in {});
}

/** Threads of a model; `standard` is for models that set none. */
export const threadCount = <D extends number | null>(standard: D) => whole(standard, 1, 256);
const dtype = valid(isDtype, 'is not a dtype or the name of a graph', 'q8');
const hubUrl = parsed(hubAddress, hubAddress, (value, refuse) =>
  httpAddress(value, ['path'], refuse).href.replace(/\/+$/, ''),
);
const baseUrls = list(upstreamExample, (url, refuse) => baseUrl(url, refuse));

export const model = {
  /**
   * the built-in model, a directory with another one, or a Hugging Face id, which the first start downloads
   * @default `all-MiniLM-L6-v2`
   */
  model: setting('EMBEDDING_MODEL', text(null, modelExample)),
  /**
   * the branch, tag or commit to download; for an upstream: change it when its vectors change, to start with an empty
   * cache
   */
  revision: setting('EMBEDDING_REVISION', text(null)),
};

/** How models are computed. Fields of a model can set its threads. */
export const threads = {
  /**
   * number of batches computed at the same time, each by a thread; threads of ONNX Runtime have a copy of the model each
   * @default one per core, as memory allows
   */
  workers: setting('EMBEDDING_WORKERS', threadCount(null)),
  /** cores that one batch uses */
  threadsPerWorker: setting('EMBEDDING_THREADS', threadCount(1)),
  /** `off`: ONNX Runtime computes graphs, and folders of safetensors are refused; see [Security](security.md#native-code) */
  native: setting('NATIVE_ENCODER', flag('on', 'off', true)),
};

/** What replaces missing or wrong information in a model's files, also by fields of a settings file. */
export const overrides = {
  /**
   * the graph's output with the vectors: see [Model files](model-files.md#what-is-read)
   * @default found by its name or shape
   */
  output: setting('EMBEDDING_OUTPUT', text(null, 'last_hidden_state')),
  /**
   * `mean`, `cls`, `last` or `max`: how the vectors of the tokens become the vector of the text
   * @default from the model's files
   */
  pooling: setting('EMBEDDING_POOLING', choice(poolingModes, null)),
  /**
   * tokens per text that the model reads; 8192 for an upstream that doesn't state a limit
   * @default from the model's files
   */
  maxTokens: setting('EMBEDDING_MAX_TOKENS', whole(null, 1, 10_000_000)),
  /**
   * text to put in front of texts with `input_type: query`, spaces included; can be empty
   * @default from the model's files
   */
  queryPrompt: setting('EMBEDDING_QUERY_PROMPT', exactText('"query: "')),
  /**
   * text to put in front of all other texts; can be empty
   * @default from the model's files
   */
  documentPrompt: setting('EMBEDDING_DOCUMENT_PROMPT', exactText('"passage: "')),
  /**
   * `int8` converts the model. `fp32`, `q8` or another ending of a file's name, such as `fp16` for `model_fp16.onnx`,
   * picks a graph, and so does a complete file name
   * @default see [Model files](model-files.md#dtypes)
   */
  dtype: setting('EMBEDDING_DTYPE', dtype),
};

/** The hub that models are pulled from. Its address has no slash at the end. */
export const hub = {
  /** the hub to download models from */
  endpoint: setting('HF_ENDPOINT', hubUrl),
  /** an access token of the hub, for private or gated models */
  token: secret('HF_TOKEN', valid(isHeaderValue, notAHeaderValue, 'hf_…')),
};

export const upstream = {
  /** an OpenAI-compatible server, or several separated by commas */
  urls: setting('EMBEDDING_UPSTREAM_URL', baseUrls),
  /** the key for that server; `EMBEDDING_MODEL` is then the name of the model there */
  key: secret('EMBEDDING_UPSTREAM_KEY', valid(isHeaderValue, notAHeaderValue, 'sk-…')),
  /**
   * the size of the upstream's vectors
   * @default from the upstream's responses
   */
  dimensions: setting('EMBEDDING_DIMENSIONS', whole(null, 1, 65_536)),
  /** `base64`: asks for vectors in base64, which takes less time to read than numbers; not every server supports it */
  encoding: setting('EMBEDDING_UPSTREAM_ENCODING', choice(['float', 'base64'], 'float')),
};

/** A model for reranking, beside those for embeddings. */
export const rerank = {
  /** a cross-encoder for `/v1/rerank`: a directory, or a Hugging Face id, which the first start downloads */
  model: setting('RERANK_MODEL', text(null, rerankExample)),
  /** as `EMBEDDING_REVISION`, for `RERANK_MODEL` */
  revision: setting('RERANK_REVISION', text(null)),
  /** as `EMBEDDING_DTYPE`, for `RERANK_MODEL` */
  dtype: setting('RERANK_DTYPE', dtype),
  /**
   * tokens that the model reads of a query and a document together; 8192 for an upstream that doesn't state a limit
   * @default from the model's files
   */
  maxTokens: setting('RERANK_MAX_TOKENS', whole(null, 1, 10_000_000)),
  /** a server with Cohere's and Jina's route for reranking, or several separated by commas */
  urls: setting('RERANK_UPSTREAM_URL', baseUrls),
  /** the key for that server; `RERANK_MODEL` is then the name of the model there */
  key: secret('RERANK_UPSTREAM_KEY', valid(isHeaderValue, notAHeaderValue, 'sk-…')),
};

/** Returns the base URL of an upstream. The path `/v1`, which all such servers have, may be left out. */
export function baseUrl(value: unknown, refuse: (fault: string) => never): string {
  const url = httpAddress(String(value), ['path', 'query'], refuse);
  if (url.pathname === '/') url.pathname = '/v1';
  return url.href;
}
