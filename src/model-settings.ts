import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import type { ModelSettings, OnnxSettings } from './embeddings/engines/settings.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import { Fields } from './file-fields.ts';
import { environmentOverrides, fileOverrides, refuseOverrides } from './model-overrides.ts';
import { readSettingsFile } from './settings-file.ts';
import { environmentUpstream, fileUpstream } from './upstream-settings.ts';

type Threads = Pick<OnnxSettings, 'workers' | 'threadsPerWorker'>;

const builtinName = 'universal-sentence-encoder-lite';
const maxThreads = 256;
const maxNameLength = 200;

/**
 * The models to serve, the default first: the one that the environment names, then those of the file that EMBEDGATE_CONFIG
 * names; without either the built-in one. Throws a ConfigError at the first value that can't be used.
 */
export function readModelSettings(read: EnvironmentReader): readonly ModelSettings[] {
  const threads = {
    workers: read.whole('EMBEDDING_WORKERS', { default: availableParallelism(), min: 1, max: maxThreads }),
    threadsPerWorker: read.whole('EMBEDDING_THREADS', { default: 1, min: 1, max: maxThreads }),
  };
  const file = read.text('EMBEDGATE_CONFIG');
  const own = environmentUpstream(read) ?? environmentModel(read, threads);
  if (file === null) return [own ?? builtin(read, threads)];
  if (!own) refuseOverrides(read);
  return distinct([...(own ? [own] : []), ...fileModels(file, threads, read)], file);
}

function builtin(read: EnvironmentReader, threads: Threads): OnnxSettings {
  const overrides = environmentOverrides(read);
  return { kind: 'onnx', name: builtinName, directory: null, ...threads, overrides };
}

function environmentModel(read: EnvironmentReader, threads: Threads): ModelSettings | null {
  const value = read.text('EMBEDDING_MODEL');
  if (value === null) return null;
  const place = placeOf(value, '.');
  if (place) return { kind: 'onnx', ...place, ...threads, overrides: environmentOverrides(read) };
  throw new ConfigError(
    `EMBEDDING_MODEL: "${value}" is neither the built-in model nor a directory; for example EMBEDDING_MODEL=${builtinName}`,
  );
}

function fileModels(file: string, threads: Threads, read: EnvironmentReader): ModelSettings[] {
  const example = `[{model: ${builtinName}}]`;
  const top = new Fields(file, '', readSettingsFile(file), `models: ${example}`);
  const entries = top.list('models', example).map((entry, i) => {
    const fields = new Fields(file, `models[${i}]`, entry, `model: ${builtinName}`);
    const isDefault = fields.flag('default');
    const name = modelName(fields);
    const settings = fields.has('upstream')
      ? fileUpstream(fields, name, read)
      : onnxModel(fields, name, dirname(resolve(file)), threads);
    fields.end();
    return { isDefault, settings };
  });
  top.end();
  const defaults = entries.filter(({ isDefault }) => isDefault);
  if (defaults.length > 1) top.fail('models', 'has more than one default', example);
  return [...defaults, ...entries.filter(({ isDefault }) => !isDefault)].map(({ settings }) => settings);
}

function onnxModel(fields: Fields, name: string | null, base: string, threads: Threads): OnnxSettings {
  const value = fields.text('model', builtinName) ?? fields.fail('model', 'is missing', builtinName);
  const place = placeOf(value, base);
  if (!place) return fields.fail('model', 'is neither the built-in model nor a directory', builtinName);
  const bounds = { min: 1, max: maxThreads };
  return {
    kind: 'onnx',
    name: name ?? place.name,
    directory: place.directory,
    workers: fields.whole('workers', { default: threads.workers, ...bounds }),
    threadsPerWorker: fields.whole('threads', { default: threads.threadsPerWorker, ...bounds }),
    overrides: fileOverrides(fields),
  };
}

function modelName(fields: Fields): string | null {
  const name = fields.text('name', 'docs');
  if (name !== null && (name.length > maxNameLength || /\p{Cc}/u.test(name))) {
    fields.fail('name', `is longer than ${maxNameLength} characters, or has some that don't print`, 'docs');
  }
  return name;
}

/** Undefined where there is no such model. */
function placeOf(value: string, base: string): Pick<OnnxSettings, 'name' | 'directory'> | undefined {
  if (value === builtinName) return { name: builtinName, directory: null };
  const directory = resolve(base, value);
  if (!existsSync(directory) || !statSync(directory).isDirectory()) return undefined;
  return { name: basename(directory), directory };
}

function distinct(models: readonly ModelSettings[], file: string): readonly ModelSettings[] {
  const names = models.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return models;
  throw new ConfigError(`${file}: models: two are named "${twice}"; for example name: ${twice}-2`);
}
