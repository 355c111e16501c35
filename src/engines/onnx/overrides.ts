import { ConfigError, type EnvironmentReader, type Fields } from '../../lib/settings.ts';
import { isDtype } from './model-file.ts';
import { type PoolingMode, poolingModes } from './pooling.ts';

/** Settings that replace missing or wrong information in a model's files, each with its environment variable. */
export interface ModelOverrides {
  /** `EMBEDDING_OUTPUT`: the graph's output with the vectors, for a graph whose outputs have other names than usual. */
  readonly output?: string | undefined;
  /** `EMBEDDING_POOLING`: how the tokens' vectors are combined into the text's vector, if no file states it. */
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

const tokens = { default: null, min: 1, max: 10_000_000 };

/** Reads the environment variables that override the files of the environment's model. */
export function environmentOverrides(read: EnvironmentReader): ModelOverrides {
  return present({
    output: read.text('EMBEDDING_OUTPUT'),
    pooling: read.choice('EMBEDDING_POOLING', poolingModes, null),
    maxTokens: read.whole('EMBEDDING_MAX_TOKENS', tokens),
    queryPrompt: read.exactText('EMBEDDING_QUERY_PROMPT'),
    documentPrompt: read.exactText('EMBEDDING_DOCUMENT_PROMPT'),
    dtype: dtype(read.text('EMBEDDING_DTYPE'), () => {
      throw new ConfigError(`EMBEDDING_DTYPE: ${notADtype}; for example EMBEDDING_DTYPE=${dtypeExample}`);
    }),
  });
}

/** Reads the fields that override the files of a model in a settings file. */
export function fileOverrides(fields: Fields): ModelOverrides {
  return present({
    output: fields.text('output', outputExample),
    pooling: fields.choice('pooling', poolingModes),
    maxTokens: fields.whole('max_tokens', tokens),
    queryPrompt: fields.exactText('query_prompt', '"query: "'),
    documentPrompt: fields.exactText('document_prompt', '"passage: "'),
    dtype: dtype(fields.text('dtype', dtypeExample), () => fields.fail('dtype', notADtype, dtypeExample)),
  });
}

/**
 * Throws a ConfigError if an override is set but the environment names no model. Models in a settings file have their
 * own fields.
 */
export function refuseOverrides(read: EnvironmentReader): void {
  const set = ['OUTPUT', 'POOLING', 'MAX_TOKENS', 'QUERY_PROMPT', 'DOCUMENT_PROMPT', 'DTYPE']
    .map((name) => `EMBEDDING_${name}`)
    .find((name) => read.exactText(name));
  if (set === undefined) return;
  throw new ConfigError(
    `${set}: applies to the model that EMBEDDING_MODEL names, not to those in EMBEDGATE_CONFIG; for example ${set}=`,
  );
}

const outputExample = 'last_hidden_state';
const dtypeExample = 'q8';
const notADtype = 'is not a dtype or the name of a graph';

function dtype(value: string | null, refuse: () => never): string | null {
  return value === null || isDtype(value) ? value : refuse();
}

function present(overrides: { [name in keyof ModelOverrides]: ModelOverrides[name] | null }): ModelOverrides {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== null));
}
