import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { ModelSettings, OnnxSettings } from '../embeddings/engines/settings.ts';
import { ConfigError } from './config-error.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import type { Fields } from './file-fields.ts';
import { environmentOverrides, fileOverrides, refuseOverrides } from './model-overrides.ts';
import { environmentUpstream, fileUpstream } from './upstream.ts';

type Threads = Pick<OnnxSettings, 'workers' | 'threadsPerWorker'>;

const builtinName = 'universal-sentence-encoder-lite';
const hubExample = 'Xenova/bge-small-en-v1.5';
/** An organization and a name. Text that begins with a dot or a slash is a path. */
const hubId = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;
const notAModel = 'is neither the built-in model, nor a directory, nor the id of a model on Hugging Face';
const ofAnother = 'is of models of a hub and of upstreams, and this is neither';
const maxThreads = 256;
const maxNameLength = 200;
const aliasExample = 'text-embedding-3-small';

/**
 * Returns the models to serve, the default first: the environment's model, then those of the settings file; if there
 * are none, the built-in one. Throws a ConfigError at the first invalid value.
 */
export function readModelSettings(read: EnvironmentReader, file: Fields | null): readonly ModelSettings[] {
  const threads = {
    workers: read.whole('EMBEDDING_WORKERS', { default: null, min: 1, max: maxThreads }),
    threadsPerWorker: read.whole('EMBEDDING_THREADS', { default: 1, min: 1, max: maxThreads }),
  };
  const own = environmentUpstream(read) ?? environmentModel(read, threads);
  const aliases = environmentAliases(read);
  if (!file?.has('models')) return [withAliases(own ?? builtin(read, threads), aliases)];
  if (!own) refuseOverrides(read);
  const listed = fileModels(file, threads, read);
  return distinct(own ? [withAliases(own, aliases), ...listed] : listed, file);
}

function builtin(read: EnvironmentReader, threads: Threads): OnnxSettings {
  const overrides = environmentOverrides(read);
  return { kind: 'onnx', name: builtinName, place: { kind: 'builtin' }, ...threads, overrides };
}

function environmentModel(read: EnvironmentReader, threads: Threads): ModelSettings | null {
  const value = read.text('EMBEDDING_MODEL');
  const revision = read.text('EMBEDDING_REVISION');
  const found = value === null ? null : placeOf(value, '.', revision);
  if (revision !== null && found?.place.kind !== 'hub') {
    throw new ConfigError(`EMBEDDING_REVISION: ${ofAnother}; for example EMBEDDING_REVISION=`);
  }
  if (value === null) return null;
  if (found) return { kind: 'onnx', ...found, ...threads, overrides: environmentOverrides(read) };
  throw new ConfigError(
    `EMBEDDING_MODEL: "${value}" ${notAModel}; for example EMBEDDING_MODEL=${hubExample}`,
  );
}

function fileModels(file: Fields, threads: Threads, read: EnvironmentReader): ModelSettings[] {
  const example = `[{model: ${builtinName}}]`;
  const entries = file.entries('models', example, `model: ${builtinName}`).map((fields) => {
    const isDefault = fields.flag('default');
    const name = modelName(fields);
    const settings = fields.has('upstream')
      ? fileUpstream(fields, name, read)
      : onnxModel(fields, name, dirname(resolve(file.file)), threads);
    const aliases = fields.texts('aliases', `[${aliasExample}]`).map((alias) => {
      if (isName(alias)) return alias;
      return fields.fail('aliases', notAName, `[${aliasExample}]`);
    });
    fields.end();
    return { isDefault, settings: withAliases(settings, aliases) };
  });
  const defaults = entries.filter(({ isDefault }) => isDefault);
  if (defaults.length > 1) file.fail('models', 'has more than one default', example);
  return [...defaults, ...entries.filter(({ isDefault }) => !isDefault)].map(({ settings }) => settings);
}

function onnxModel(fields: Fields, name: string | null, base: string, threads: Threads): OnnxSettings {
  const value = fields.text('model', hubExample) ?? fields.fail('model', 'is missing', hubExample);
  const revision = fields.text('revision', 'main');
  const found = placeOf(value, base, revision) ?? fields.fail('model', notAModel, hubExample);
  if (revision !== null && found.place.kind !== 'hub') fields.fail('revision', ofAnother, '""');
  const bounds = { min: 1, max: maxThreads };
  return {
    kind: 'onnx',
    name: name ?? found.name,
    place: found.place,
    workers: fields.whole('workers', { default: threads.workers, ...bounds }),
    threadsPerWorker: fields.whole('threads', { default: threads.threadsPerWorker, ...bounds }),
    overrides: fileOverrides(fields),
  };
}

function modelName(fields: Fields): string | null {
  const name = fields.text('name', 'docs');
  return name === null || isName(name) ? name : fields.fail('name', notAName, 'docs');
}

/** Reads the other names of the environment's model or the built-in one. */
function environmentAliases(read: EnvironmentReader): readonly string[] {
  const aliases = (read.text('EMBEDDING_MODEL_ALIASES') ?? '').split(',').map((alias) => alias.trim());
  return aliases.filter(Boolean).map((alias) => {
    if (isName(alias)) return alias;
    throw new ConfigError(
      `EMBEDDING_MODEL_ALIASES: one ${notAName}; for example EMBEDDING_MODEL_ALIASES=${aliasExample}`,
    );
  });
}

const notAName = `is empty, is longer than ${maxNameLength} characters, or has some that don't print`;

function isName(text: string): boolean {
  return text !== '' && text.length <= maxNameLength && !/\p{Cc}/u.test(text);
}

function withAliases(settings: ModelSettings, aliases: readonly string[]): ModelSettings {
  return aliases.length === 0 ? settings : { ...settings, aliases };
}

/**
 * Returns the model's name and place, or undefined if there is no such model. A directory takes precedence over a hub's
 * model of the same name.
 */
function placeOf(
  value: string,
  base: string,
  revision: string | null,
): Pick<OnnxSettings, 'name' | 'place'> | undefined {
  if (value === builtinName) return { name: builtinName, place: { kind: 'builtin' } };
  const path = resolve(base, value);
  if (existsSync(path) && statSync(path).isDirectory()) {
    return { name: basename(path), place: { kind: 'directory', path } };
  }
  return hubId.test(value) ? { name: value, place: { kind: 'hub', id: value, revision } } : undefined;
}

function distinct(models: readonly ModelSettings[], { file }: Fields): readonly ModelSettings[] {
  const names = models.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return models;
  throw new ConfigError(`${file}: models: two are named "${twice}"; for example name: ${twice}-2`);
}
