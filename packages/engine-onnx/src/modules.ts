/** Reads from the files of sentence-transformers how the tokens' vectors become the text's. */
import type { DenseModule } from '../../encoder-native/src/index.ts';
import { isPositiveInteger, type JsonObject, ownEntry, positiveInteger } from '../../small/src/json.ts';
import type { JsonFiles } from './json-file.ts';
import type { PoolingMode } from './pooling.ts';

export interface Pooling {
  /** How tokens are pooled, whatever follows. Undefined if neither a file nor a setting states a supported mode. */
  readonly mode: PoolingMode | undefined;
  /** The reason why there is no mode, or why more must follow, in a sentence for the operator. */
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
  /** The Dense modules between the pooling and the scaling. Undefined if `modules.json` asks for something else too, or if there is a graph. */
  readonly dense: readonly DenseModule[] | undefined;
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

const typeOf = ({ type }: JsonObject): string => String(type).split('.').at(-1)!;
const inOrder = /^(Transformer ?)?(Pooling ?)?(Dense ?)*(Normalize)?$/;

/** Reports whether a list like `modules.json` asks for pooling. A model that does returns vectors, whatever its name is. */
export const asksForPooling = (modules: readonly JsonObject[]): boolean =>
  modules.map(typeOf).includes('Pooling');

/**
 * Returns the Dense modules of a list like `modules.json`, or undefined if it asks for others too, or for another order. `read`
 * returns the contents of a JSON file, and `place` is what an error calls their folder. Throws for a module that computes
 * anything else than the usual ones.
 */
export function denseModules(
  modules: readonly JsonObject[],
  read: (path: string) => JsonObject,
  place: string,
): DenseModule[] | undefined {
  if (!inOrder.test(modules.map(typeOf).join(' '))) return undefined;
  const folders = modules
    .filter((module) => typeOf(module) === 'Dense')
    .map(({ path }) => ({ folder: String(path), file: `${path}/config.json` }));
  return folders.map(({ folder, file }) => denseIn(folder, `${place}/${file}`, read(file)));
}

/**
 * Reads `modules.json` and the pooling's `config.json`. Both can be missing. `asked` replaces only a mode that no file
 * states. With a graph, Dense modules are its own affair. Throws when a file is malformed.
 */
export function readPooling(files: JsonFiles, asked: PoolingMode | undefined, hasGraph: boolean): Pooling {
  const modules = files.list('modules.json') ?? [];
  for (const { path } of modules) refuseOutside(files, path);
  const place = modules.find((module) => typeOf(module) === 'Pooling')?.path;
  const file = `${typeof place === 'string' ? place : '1_Pooling'}/config.json`;
  const config = files.object(file);
  const undone = modules.map(typeOf).filter((type) => !done.has(type));
  const dense = hasGraph ? undefined : denseModules(modules, (path) => files.object(path), files.directory);
  const problem = `modules.json asks for ${undone.join(', ')}, which only a graph with an output "sentence_embedding" can hold`;
  return {
    ...readMode(config, file, asked),
    ...(undone.length > 0 && !dense && { problem }),
    isStated: asksForPooling(modules),
    isAsked: asked !== undefined,
    dimensions: positiveInteger(config, 'word_embedding_dimension', 'embedding_dimension'),
    file,
    isPartOfMore: undone.length > 0,
    dense,
    isScaled: modules.map(typeOf).includes('Normalize'),
    includesPrompt: config.include_prompt !== false,
  };
}

const activations: Readonly<Record<string, DenseModule['activation']>> = {
  'torch.nn.modules.linear.Identity': 'identity',
  'torch.nn.modules.activation.Tanh': 'tanh',
};

function denseIn(folder: string, file: string, config: JsonObject): DenseModule {
  const { out_features: columns, bias = true, activation_function: name, ...others } = config;
  const activation = ownEntry(activations, String(name));
  const isKnown = (key: string): boolean =>
    key === 'in_features' ||
    others[key] === null ||
    (/^module_(input|output)_name$/.test(key) && others[key] === 'sentence_embedding');
  const unknown = Object.keys(others).find((key) => !isKnown(key));
  if (isPositiveInteger(columns) && typeof bias === 'boolean' && activation && !unknown)
    return { folder, columns, hasBias: bias, activation };
  const what = unknown
    ? `the key "${unknown}"`
    : `a bias, a size or an activation that isn't known (${name})`;
  throw new Error(`${file}: the Dense module has ${what}`);
}

/** Throws if a module's path leads out of the directory. */
function refuseOutside(files: JsonFiles, path: unknown): void {
  if (typeof path !== 'string' || !/^([a-z]:|[\\/])|(^|[\\/])\.\.([\\/]|$)/i.test(path)) return;
  throw new Error(`${files.directory}/modules.json: the path ${JSON.stringify(path)} leaves the directory`);
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
  const stated = names.map((name) => ownEntry({ ...modes, ...modesByName }, name));
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
