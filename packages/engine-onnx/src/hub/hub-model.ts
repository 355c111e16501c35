/** Models from a hub, stored in the data directory as `models/<org>/<name>/<commit>`, either complete or absent. */

import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isNativeSlow, layoutIn, nativeProblem } from '../../../encoder-native/src/index.ts';
import { variables } from '../../../engine/src/index.ts';
import { shardsIn, weightPlaces, weightsFile, weightsIndex } from '../../../onnx-int8/src/index.ts';
import { ifAbsent, messageOf } from '../../../small/src/errors.ts';
import { makePrivateDirectory, writeFileAtomically } from '../../../small/src/files.ts';
import { areObjects, fieldsOf } from '../../../small/src/json.ts';
import { takeProcessLock } from '../../../small/src/process-lock.ts';
import { graphFactsOf } from '../graph-reader.ts';
import { isClassifier } from '../model-directory.ts';
import { chooseGraph, howToExport, isWeights, sourceFile, weightsAmong } from '../model-file.ts';
import { asksForPooling, denseModules } from '../modules.ts';
import { isSealed, sealWritten } from '../sealed-directory.ts';
import { download } from './download.ts';
import { Hub, HubError, type HubOptions } from './hub.ts';
import {
  isCommit,
  isModelId,
  neededFiles,
  type RemoteFile,
  type Repository,
  readRepository,
  usageFiles,
} from './repository.ts';

export interface HubModelRequest extends HubOptions {
  readonly dataDir: string;
  /** `org/name`. */
  readonly id: string;
  /** A branch, a tag or a commit. Default: `main`. */
  readonly revision?: string | undefined;
  /** Which of the repository's graphs to use, such as `q8`. Default: the one of full precision, or the only one. */
  readonly dtype?: string | undefined;
  /** Whether to look up a branch or tag again instead of using the commit that was last pulled. */
  readonly refresh?: boolean;
  /** Called with the number of bytes present and the total, first with 0. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called if the pull has to wait for another one of the same model, in this process or another. */
  readonly onWait?: () => void;
}

/** The origin of a model, stored in its directory. */
export interface ModelSource {
  readonly id: string;
  readonly commit: string;
  readonly dtype: string | null;
  /** Path of the graph in the directory. */
  readonly graph: string;
  /** The model and commit whose files describe how to use this one. Null: its own files do. */
  readonly usage: { readonly id: string; readonly commit: string } | null;
}

export interface StoredModel extends ModelSource {
  readonly directory: string;
  readonly sizeBytes: number;
}

const defaultRevision = 'main';
const partialPrefix = '.partial-';
const lockFile = '.pull.lock';

/**
 * Returns the path of the model's directory, pulling the model if needed. A complete directory is used without network
 * access unless `refresh` is set. An interrupted pull is continued, and is never used half done. If several processes
 * pull a model at the same time, one downloads it, and the others wait and use its result. Throws a HubError.
 */
export async function ensureHubModel(request: HubModelRequest): Promise<string> {
  const { dataDir, id, revision = defaultRevision, dtype, refresh = false } = request;
  if (!isModelId(id)) throw new HubError(`"${id}" is not a model's id, such as BAAI/bge-small-en-v1.5`);
  if (dtype !== undefined && !variables.isDtype(dtype))
    throw new HubError(`"${dtype}" is not a dtype, such as q8, or the name of a graph without its folder`);
  const home = join(dataDir, 'models', ...id.split('/'));
  const reference = join(home, 'refs', encodeURIComponent(nameOf(revision, dtype)));
  if (!refresh || isCommit(revision)) {
    const name = isCommit(revision)
      ? nameOf(revision, dtype)
      : await readFile(reference, 'utf8').catch(ifAbsent(null));
    if (name !== null && (await isSealed(join(home, name)))) return join(home, name);
  }
  const directory = await pull(request, home, revision);
  if (isCommit(revision)) return directory;
  await mkdir(join(home, 'refs'), { recursive: true });
  const name = directory.slice(home.length + 1);
  writeFileAtomically(reference, () => name, { mode: 0o644, overwrite: true });
  return directory;
}

/** Returns the models that were pulled into `dataDir`, sorted by id. */
export async function listHubModels(dataDir: string): Promise<StoredModel[]> {
  const root = join(dataDir, 'models');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(ifAbsent([]));
  const sources = entries.filter(
    ({ name, parentPath }) => name === sourceFile && !basename(parentPath).startsWith('.'),
  );
  const models = sources.map(async ({ parentPath }): Promise<StoredModel> => {
    const source: ModelSource = JSON.parse(await readFile(join(parentPath, sourceFile), 'utf8'));
    return { ...source, directory: parentPath, sizeBytes: await sizeOf(parentPath) };
  });
  return (await Promise.all(models)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function pull(request: HubModelRequest, home: string, revision: string): Promise<string> {
  const { id, dtype, signal, onProgress = () => {}, onWait } = request;
  const hub = new Hub(request);
  const repository = await readRepository(hub, id, revision);
  const directory = join(home, nameOf(repository.commit, dtype));
  if (await isSealed(directory)) return directory;
  const graph =
    (await publishedWeights(hub, repository, dtype)) ??
    chooseGraph(
      repository.files.map(({ path }) => path),
      { dtype, setting: '--dtype, or EMBEDDING_DTYPE,', owner: id },
    );
  const own = neededFiles(repository, graph);
  const { usage, files } = await borrowedUsage(hub, own, repository.convertedFrom);
  const needed = [...own, ...files];
  const named = new Set(needed.map(({ path }) => path));
  const source: ModelSource = { id, commit: repository.commit, dtype: dtype ?? null, graph, usage };

  let total = needed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let done = 0;
  const onBytes = (bytes: number): void => {
    done += bytes;
    if (bytes !== 0) onProgress(done, total);
  };
  // The pull may be what creates the data directory, which will contain secrets.
  makePrivateDirectory(request.dataDir);
  const partial = join(home, `${partialPrefix}${nameOf(repository.commit, dtype)}`);
  await mkdir(home, { recursive: true });
  using _lock = await takeProcessLock(join(home, lockFile), { onWait, signal });
  if (await isSealed(directory)) return directory;
  onProgress(0, total);
  const bring = async (file: RemoteFile) => download(hub, file, partial, { onBytes, signal });
  for (const file of needed) await bring(file);
  // Only the graph itself names the files with its weights.
  const weights = weightFiles(repository, graph, partial).filter(({ path }) => !named.has(path));
  total += weights.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const file of weights) await bring(file);
  await writeFile(join(partial, sourceFile), `${JSON.stringify(source)}\n`, { flush: true });
  await sealWritten(partial, directory);
  return directory;
}

/** The description of a Dense module, which has weights of its own. */
const denseConfig = /^\d+_Dense\/config\.json$/;
const weightsBeside = (path: string): string => `${dirname(path)}/${weightsFile}`;

/**
 * Returns the weights in safetensors if the native encoder computes the model from them, without a graph. Throws the
 * reason why not if there is no graph either.
 */
async function publishedWeights(
  hub: Hub,
  { id, files }: Repository,
  dtype: string | undefined,
): Promise<string | undefined> {
  const paths = files.map(({ path }) => path);
  const weights = dtype === undefined || dtype === 'fp32' ? weightsAmong(paths) : undefined;
  const config = files.find(({ path }) => path === 'config.json');
  if (!weights || !config) return undefined;
  const hasGraph = paths.some((path) => path.endsWith('.onnx'));
  if (hasGraph && isNativeSlow) return undefined;
  const described = files.filter(
    ({ path }) => ['config.json', 'modules.json'].includes(path) || denseConfig.test(path),
  );
  const values = new Map<string, unknown>();
  // One after the other, because a repository can have thousands.
  for (const { path, url } of described) values.set(path, (await hub.json(url)).value);
  const json = fieldsOf(values.get('config.json'));
  const modules = values.get('modules.json') ?? [];
  try {
    if (nativeProblem) throw new Error(nativeProblem);
    if (!areObjects(modules)) throw new Error('modules.json is not a list of objects');
    layoutIn(json, isClassifier(json) && !asksForPooling(modules));
    if (!denseModules(modules, (path) => fieldsOf(values.get(path)), id))
      throw new Error('modules.json asks for modules that the native encoder does not compute');
    const lacking = paths.find((path) => denseConfig.test(path) && !paths.includes(weightsBeside(path)));
    if (lacking) throw new Error(`there is no ${weightsBeside(lacking)}`);
    return weights;
  } catch (reason) {
    if (hasGraph) return undefined;
    throw new HubError(`${id} has no ONNX graph, and ${messageOf(reason)}; ${howToExport}`);
  }
}

/** Returns the weight files that the graph in `directory` names. Throws a HubError when the repository lacks one. */
function weightFiles({ id, files }: Repository, graph: string, directory: string): RemoteFile[] {
  const file = join(directory, graph);
  const ofModules = files
    .map(({ path }) => path)
    .filter((path) => denseConfig.test(path))
    .map(weightsBeside);
  const names = isWeights(graph)
    ? [...(graph === weightsIndex ? shardsIn(file).values() : []), ...ofModules]
    : weightPlaces(graph, graphFactsOf(file).weightFiles);
  return [...new Set(names)].map((path) => {
    const found = files.find((file) => file.path === path);
    if (!found)
      throw new HubError(`${id}: ${path} is missing, although ${graph} names it as a file of its weights`);
    return found;
  });
}

/**
 * Finds the files that describe pooling in the model that this one was converted from. Conversions such as Xenova's
 * have only graph and tokenizer, and name the original in their card.
 */
async function borrowedUsage(
  hub: Hub,
  own: readonly RemoteFile[],
  convertedFrom: string | null,
): Promise<{ usage: ModelSource['usage']; files: readonly RemoteFile[] }> {
  const paths = new Set(own.map(({ path }) => path));
  if (paths.has('modules.json') || paths.has('1_Pooling/config.json') || convertedFrom === null) {
    return { usage: null, files: [] };
  }
  const base = await readRepository(hub, convertedFrom, defaultRevision);
  const files = usageFiles(base).filter(({ path }) => !paths.has(path));
  return { usage: files.length > 0 ? { id: base.id, commit: base.commit } : null, files };
}

const nameOf = (revision: string, dtype: string | undefined): string =>
  dtype === undefined ? revision : `${revision}-${dtype}`;

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
