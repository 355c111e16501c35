/** Reads from the files of sentence-transformers how the tokens' vectors become the text's. */
import { type JsonObject, positiveInteger } from '../../small/src/json.ts';
import type { JsonFiles } from './json-file.ts';
import type { PoolingMode } from './pooling.ts';

export interface Pooling {
  /** Undefined if neither a file nor a setting states a supported one. */
  readonly mode: PoolingMode | undefined;
  /** The reason why there is no mode, in a sentence for the operator. */
  readonly problem: string;
  /** Whether `modules.json` asks for any. */
  readonly isStated: boolean;
  /** Whether the mode was configured. */
  readonly isAsked: boolean;
  /** The size of a token's vector, as the pooling's file states it. */
  readonly dimensions: number | undefined;
  /** That file. */
  readonly file: string;
  /** Whether `modules.json` asks for more than pooling and scaling to length 1. */
  readonly isPartOfMore: boolean;
  /** Whether `modules.json` asks to scale vectors to length 1. */
  readonly isScaled: boolean;
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

/**
 * Reads `modules.json` and the pooling's `config.json`. Both can be missing. `asked` replaces only a mode that no file
 * states. Throws when a file is malformed.
 */
export function readPooling(files: JsonFiles, asked: PoolingMode | undefined): Pooling {
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
  const undone = modules.map(typeOf).filter((type) => !done.has(type));
  const problem = `modules.json asks for ${undone.join(', ')}, which only a graph with an output "sentence_embedding" can hold`;
  return {
    ...(undone.length > 0 ? { mode: undefined, problem } : readMode(config, file, asked)),
    isStated: place !== undefined,
    isAsked: asked !== undefined,
    dimensions: positiveInteger(config, 'word_embedding_dimension', 'embedding_dimension'),
    file,
    isPartOfMore: undone.length > 0,
    isScaled: modules.map(typeOf).includes('Normalize'),
    includesPrompt: config.include_prompt !== false,
  };
}

function readMode(
  config: JsonObject,
  file: string,
  asked: PoolingMode | undefined,
): Pick<Pooling, 'mode' | 'problem'> {
  const names =
    typeof config.pooling_mode === 'string'
      ? [config.pooling_mode]
      : Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true);
  const setting = 'EMBEDDING_POOLING (pooling in a file)';
  const without = (problem: string) => ({ mode: undefined, problem: `${file} ${problem}` });
  if (names.length === 0) {
    return asked
      ? { mode: asked, problem: '' }
      : without(`does not say how to pool; set ${setting} to mean, cls, last or max`);
  }
  const stated = names.map((name) => modes[name] ?? modesByName[name]);
  const mode = stated.length === 1 ? stated[0] : undefined;
  if (!mode) {
    return without(
      `asks for ${names.join(' and ')}, which only a graph with an output "sentence_embedding" can hold`,
    );
  }
  if (asked && asked !== mode) {
    return without(`asks for the pooling ${mode}, but ${setting} is ${asked}; remove the wrong one`);
  }
  return { mode, problem: '' };
}
