import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { ConfigError, type EnvironmentReader, type Fields } from '../../lib/settings.ts';
import type { Named } from '../engine.ts';
import { environmentOverrides, fileOverrides, type ModelOverrides } from './overrides.ts';

/** Where a model's files are. */
export type ModelPlace =
  | { readonly kind: 'builtin' }
  | { readonly kind: 'directory'; readonly path: string }
  /** Pulled at the first startup. */
  | { readonly kind: 'hub'; readonly id: string; readonly revision: string | null };

/** An ONNX model that runs in this process. */
export interface OnnxSettings extends Named {
  readonly kind: 'onnx';
  readonly place: ModelPlace;
  /** Batches computed at a time, each by a thread with a copy of the model. Null: as many as the machine allows. */
  readonly workers: number | null;
  /** Number of cores that one batch uses. */
  readonly threadsPerWorker: number;
  /** Settings that take precedence over the model's files. */
  readonly overrides: ModelOverrides;
}

type Threads = Pick<OnnxSettings, 'workers' | 'threadsPerWorker'>;

/** The name of the model that needs no download. */
export const builtinName = 'universal-sentence-encoder-lite';
const hubExample = 'Xenova/bge-small-en-v1.5';
/** An organization and a name. Text that begins with a dot or a slash is a path. */
const hubId = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;
const notAModel = 'is neither the built-in model, nor a directory, nor the id of a model on Hugging Face';
const ofAnother = 'applies only to models of a hub and to upstreams';
const maxThreads = 256;

/** Returns the model that `EMBEDDING_MODEL` names; null if it is not set. */
export function environmentModel(read: EnvironmentReader, threads: Threads): OnnxSettings | null {
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

/** Throws a ConfigError unless the argument of a command names a model. */
export function refuseUnknownModel(argument: string): void {
  if (placeOf(argument, '.', null)) return;
  throw new ConfigError(`<model>: "${argument}" ${notAModel}; for example ${hubExample}`);
}

/** Returns the built-in model, with the settings that the environment has for it. */
export function builtinModel(read: EnvironmentReader, threads: Threads): OnnxSettings {
  const overrides = environmentOverrides(read);
  return {
    kind: 'onnx',
    name: builtinName,
    place: { kind: 'builtin' },
    ...threads,
    overrides,
  };
}

/** Returns the threads of each model that has no settings of its own for them. */
export function environmentThreads(read: EnvironmentReader): Threads {
  return {
    workers: read.whole('EMBEDDING_WORKERS', { default: null, min: 1, max: maxThreads }),
    threadsPerWorker: read.whole('EMBEDDING_THREADS', { default: 1, min: 1, max: maxThreads }),
  };
}

/** Reads a model of a settings file. Paths are relative to the file. */
export function fileModel(fields: Fields, name: string | null, threads: Threads): OnnxSettings {
  const value = fields.text('model', hubExample) ?? fields.fail('model', 'is missing', hubExample);
  const revision = fields.text('revision', 'main');
  const found =
    placeOf(value, dirname(resolve(fields.file)), revision) ?? fields.fail('model', notAModel, hubExample);
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
