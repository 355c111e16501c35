/** Finds the graph among the files of an export. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { weightsFile, weightsIndex } from '../../onnx-int8/src/index.ts';
import { ifAbsent } from '../../small/src/errors.ts';

/**
 * File name suffixes of dtypes. A dtype that is not listed is the suffix itself, such as `fp16` or `O3`. A dtype that
 * ends in `.onnx` is the whole name.
 */
const suffixes: Readonly<Record<string, string>> = { fp32: '', q8: '_quantized' };
const folders = ['onnx/', ''];
const fileEnding = '.onnx';
/** The dtype that the service makes itself. A published graph with this suffix has to be named in full. */
export const convertedDtype = 'int8';
/** The file that states where a pulled model comes from. */
export const sourceFile = 'source.json';
/** Weights without a graph, which the native encoder computes if it knows the family. */
const weightFiles = [weightsFile, weightsIndex];
export const howToExport =
  '"optimum-cli export onnx --task feature-extraction --model DIRECTORY TARGET" makes one, and with ' +
  '"--task text-classification" one of a reranker; for embeddings, also copy modules.json, ' +
  '1_Pooling, sentence_bert_config.json and config_sentence_transformers.json from the original to it';
const graphPath = /^(?:onnx\/)?[^/]+\.onnx$/;

/** The requested dtype, and for errors the setting that names a dtype and the owner of the files. */
export interface GraphChoice {
  readonly dtype: string | undefined;
  readonly setting: string;
  readonly owner: string;
}

/** Returns the weights in the format of safetensors among `paths`, or the index of several such files. */
export const weightsAmong = (paths: readonly string[]): string | undefined =>
  weightFiles.find((path) => paths.includes(path));

/** Reports whether a model is computed without a graph. */
export const isWeights = (path: string): boolean => weightFiles.includes(basename(path));

/**
 * Returns the graph among `paths`, which are relative and use `/`: the one of `dtype` if set, otherwise `model.onnx` or
 * the only graph. Without any graph, returns the weights in safetensors. Throws when there is none, or when `setting`
 * must choose one.
 */
export function chooseGraph(paths: readonly string[], { dtype, setting, owner }: GraphChoice): string {
  const graphs = paths.filter((path) => graphPath.test(path));
  const name = nameOf(dtype ?? 'fp32');
  const wanted = folders.map((folder) => folder + name);
  const found = wanted.find((path) => graphs.includes(path));
  if (found) return found;
  const weights = name === nameOf('fp32') ? weightsAmong(paths) : undefined;
  if (graphs.length === 0 && weights) return weights;
  if (graphs.length === 0)
    throw new Error(`${owner}: no ONNX graph, neither ${wanted.join(' nor ')}; ${howToExport}`);
  if (dtype === undefined && graphs.length === 1) return graphs[0]!;
  const dtypes = new Set(graphs.map(dtypeOf));
  // The service makes int8 itself, but nobody publishes it.
  if (dtypes.has('fp32') && !setting.startsWith('--')) dtypes.add(convertedDtype);
  const choices = [...dtypes].sort().join(', ');
  throw new Error(`${owner}: no ${name}; set ${setting} to one of ${choices}`);
}

/** Reports whether a dtype is the whole name of a graph. */
export const isGraphName = (dtype: string): boolean => dtype.endsWith(fileEnding);

function nameOf(dtype: string): string {
  return isGraphName(dtype) ? dtype : `model${suffixes[dtype] ?? `_${dtype}`}${fileEnding}`;
}

/** Returns the paths of the weight files of `graph`, such as `onnx/model.onnx_data`. */
export function weightFilesOf(graph: string, paths: readonly string[]): string[] {
  return paths.filter((path) => path.startsWith(graph) && path !== graph).sort();
}

/** Returns the files of a model directory that can be a graph or its weights. */
export function graphFiles(directory: string): string[] {
  return folders.flatMap((folder) => namesIn(join(directory, folder)).map((name) => folder + name));
}

/** Throws if there is a pipe or a device, because reading one never ends. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => isReadable(join(directory, name)));
  } catch (reason) {
    return ifAbsent([])(reason);
  }
}

/** Reports whether there is a file or a directory. Throws if it is something else. */
export function isReadable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || found.isFile() || found.isDirectory()) return found !== undefined;
  throw new Error(`${path}: neither a file nor a directory`);
}

/** Returns the dtype that chooses a graph. It is the graph's whole name unless that follows the usual pattern. */
export function dtypeOf(path: string): string {
  if (isWeights(path)) return 'fp32';
  const name = path.replace(/^onnx\//, '');
  const ofSuffix = /^model_(.+)\.onnx$/.exec(name)?.[1] ?? name;
  const dtypes = [...Object.keys(suffixes), ofSuffix].filter((dtype) => dtype !== convertedDtype);
  return dtypes.find((dtype) => nameOf(dtype) === name) ?? name;
}
