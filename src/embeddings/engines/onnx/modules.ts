/** Reads from the files of sentence-transformers how the tokens' vectors become the text's. */
import { type JsonObject, positiveInteger } from '../../../lib/json.ts';
import type { JsonFiles } from './json-file.ts';
import type { PoolingMode } from './pooling.ts';

export interface PoolingSetting {
  /** Undefined if the files state no mode or an unsupported one. */
  readonly mode: PoolingMode | undefined;
  /** The reason why there is no mode, in a sentence for the operator. */
  readonly problem: string;
  /** `word_embedding_dimension`. */
  readonly dimensions: number | undefined;
  /** Whether pooling includes the prompt's tokens. */
  readonly includesPrompt: boolean;
}

const modes: Readonly<Record<string, PoolingMode>> = {
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_cls_token: 'cls',
  pooling_mode_lasttoken: 'last',
  pooling_mode_max_tokens: 'max',
};
const modesByName: Readonly<Record<string, PoolingMode>> = {
  mean: 'mean',
  cls: 'cls',
  lasttoken: 'last',
  max: 'max',
};
const done = new Set(['Transformer', 'Pooling', 'Normalize']);

/** Reads `modules.json` and the pooling's `config.json`. Both can be missing. Throws when one is malformed. */
export function readPooling(files: JsonFiles): PoolingSetting {
  const modules = files.list('modules.json') ?? [];
  const typeOf = ({ type }: JsonObject): string => String(type).split('.').at(-1)!;
  const place = modules.find((module) => typeOf(module) === 'Pooling')?.path;
  const file = `${typeof place === 'string' ? place : '1_Pooling'}/config.json`;
  if (/^([a-z]:|[\\/])|(^|[\\/])\.\.([\\/]|$)/i.test(file)) {
    throw new Error(
      `${files.directory}/modules.json: the pooling's path ${JSON.stringify(place)} leaves the directory`,
    );
  }
  const config = files.object(file);
  const setting = {
    dimensions: positiveInteger(config, 'word_embedding_dimension', 'embedding_dimension'),
    includesPrompt: config.include_prompt !== false,
  };
  const undone = modules.map(typeOf).filter((type) => !done.has(type));
  if (undone.length > 0) {
    const problem = `modules.json asks for ${undone.join(', ')}, which only a graph with an output "sentence_embedding" can hold`;
    return { ...setting, mode: undefined, problem };
  }
  return { ...setting, ...readMode(config, file) };
}

function readMode(config: JsonObject, file: string): { mode: PoolingMode | undefined; problem: string } {
  const asked =
    typeof config.pooling_mode === 'string'
      ? [config.pooling_mode]
      : Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true);
  const known = asked.map((name) => modes[name] ?? modesByName[name]);
  if (known.length === 1 && known[0]) return { mode: known[0], problem: '' };
  const problem =
    asked.length === 0
      ? `${file} does not say how to pool`
      : `${file} asks for ${asked.join(' and ')}, which is not supported`;
  return {
    mode: undefined,
    problem: `${problem}; set EMBEDDING_POOLING (pooling in a file) to mean, cls, last or max`,
  };
}
