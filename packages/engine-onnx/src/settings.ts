import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import {
  environmentOverrides,
  fileOverrides,
  type ModelOverrides,
  type Named,
  variables,
} from '../../engine/src/index.ts';
import { isThere } from '../../small/src/files.ts';
import {
  ConfigError,
  type EnvironmentReader,
  type Fields,
  refuse,
  type SettingValues,
} from '../../small/src/settings.ts';

/** Where a model's files are. */
export type ModelPlace =
  | { readonly kind: 'builtin' }
  | { readonly kind: 'directory'; readonly path: string }
  /** Pulled at the first startup. */
  | { readonly kind: 'hub'; readonly id: string; readonly revision: string | null };

/** The hub that models are pulled from. */
export type HubAccess = SettingValues<typeof variables.hub>;

/** `workers` null: as many as the machine allows. */
type Threads = SettingValues<typeof variables.threads>;

/** An ONNX model that runs in this process. */
export interface OnnxSettings extends Named, Threads {
  readonly kind: 'onnx';
  readonly place: ModelPlace;
  /** What the model must do, if it is certain. Undefined: its files say what it does. */
  readonly task?: 'rerank' | undefined;
  /** Settings that take precedence over the model's files. */
  readonly overrides: ModelOverrides;
}

/** The name of the model that needs no download. */
const builtinName = 'all-MiniLM-L6-v2';
/** The id of the published model that it was converted from. */
export const builtinOriginal = `sentence-transformers/${builtinName}`;
/** An organization and a name. Text that begins with a dot or a slash is a path. */
const hubId = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;
const notAModel = 'is neither the built-in model, nor a directory, nor the id of a model on Hugging Face';
const notACrossEncoder = 'is neither a directory, nor the id of a model on Hugging Face';
const ofAnother = 'applies only to models of a hub and to upstreams';

/** Returns the model that `EMBEDDING_MODEL` names; null if it is not set. */
export function environmentModel(read: EnvironmentReader, threads: Threads): OnnxSettings | null {
  const { model, revision } = read.all(variables.model);
  const found = model === null ? null : placeOf(model, '.', revision);
  if (revision !== null && found?.place.kind !== 'hub') refuse(variables.model.revision.name, ofAnother, '');
  if (model === null) return null;
  if (found) return { kind: 'onnx', ...found, ...threads, overrides: environmentOverrides(read) };
  return refuse(variables.model.model.name, `"${model}" ${notAModel}`, variables.modelExample);
}

/** Returns the model for reranking that `RERANK_MODEL` names; null if it is not set. */
export function environmentCrossEncoder(read: EnvironmentReader, threads: Threads): OnnxSettings | null {
  const { model, revision, dtype, maxTokens } = read.all(variables.rerank);
  const found = model === null ? null : placeOf(model, '.', revision);
  if (revision !== null && found?.place.kind !== 'hub') refuse(variables.rerank.revision.name, ofAnother, '');
  const needless = [variables.rerank.dtype, variables.rerank.maxTokens].find(
    ({ name }) => read.text(name) !== null,
  );
  if (model === null && needless)
    refuse(variables.rerank.model.name, `is required with ${needless.name}`, variables.rerankExample);
  if (model === null) return null;
  if (!found || found.place.kind === 'builtin')
    refuse(variables.rerank.model.name, `"${model}" ${notACrossEncoder}`, variables.rerankExample);
  const overrides = { dtype: dtype ?? undefined, maxTokens: maxTokens ?? undefined };
  return { kind: 'onnx', task: 'rerank', ...found, ...threads, overrides };
}

/** Throws a ConfigError unless the argument of a command names a model. */
export function refuseUnknownModel(argument: string): void {
  if (placeOf(argument, '.', null)) return;
  throw new ConfigError(`<model>: "${argument}" ${notAModel}; for example ${variables.modelExample}`);
}

/** Returns the built-in model, with the settings that the environment has for it. */
export function builtinModel(read: EnvironmentReader, threads: Threads): OnnxSettings {
  const place: ModelPlace = { kind: 'builtin' };
  return { kind: 'onnx', name: builtinName, place, ...threads, overrides: environmentOverrides(read) };
}

/** Reads a model of a settings file. Paths are relative to the file. */
export function fileModel(fields: Fields, name: string | null, threads: Threads): OnnxSettings {
  const value =
    fields.text('model', variables.modelExample) ??
    fields.fail('model', 'is missing', variables.modelExample);
  const revision = fields.text('revision', 'main');
  const found =
    placeOf(value, dirname(resolve(fields.file)), revision) ??
    fields.fail('model', notAModel, variables.modelExample);
  if (revision !== null && found.place.kind !== 'hub') fields.fail('revision', ofAnother, '""');
  return {
    kind: 'onnx',
    name: name ?? found.name,
    place: found.place,
    workers: fields.read('workers', variables.threadCount(threads.workers)),
    threadsPerWorker: fields.read('threads', variables.threadCount(threads.threadsPerWorker)),
    native: threads.native,
    overrides: fileOverrides(fields),
  };
}

/**
 * Returns the model's name and place, or undefined if there is no such model. A directory takes precedence over
 * the built-in model and a hub's model of the same name.
 */
function placeOf(
  value: string,
  base: string,
  revision: string | null,
): Pick<OnnxSettings, 'name' | 'place'> | undefined {
  const path = resolve(base, value);
  if (isThere(path) && statSync(path).isDirectory()) {
    return { name: nameOf(path), place: { kind: 'directory', path } };
  }
  if (value === builtinName) return { name: builtinName, place: { kind: 'builtin' } };
  return hubId.test(value) ? { name: value, place: { kind: 'hub', id: value, revision } } : undefined;
}

/** A directory in the cache of Hugging Face's libraries is named after a commit, and one above it after the model. */
const nameOf = (path: string): string =>
  /[/\\]models--([^/\\]+)[/\\]snapshots[/\\][^/\\]+$/.exec(path)?.[1]?.replace('--', '/') ?? basename(path);
