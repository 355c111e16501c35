/** Finds the graph among the files of an export. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The names that exports give: a dtype that isn't here is the name's ending itself, as `int8` or `O3`. */
const suffixes: Readonly<Record<string, string>> = { fp32: '', q8: '_quantized' };
const folders = ['onnx', '.'];

/** The name of the graph's file, without its folder. */
export function modelFileName(dtype: string): string {
  return `model${suffixes[dtype] ?? `_${dtype}`}.onnx`;
}

/**
 * The graph's path within `directory`: the one of `dtype`; without that, `model.onnx`, or the only one there is. Throws
 * when there is none, or when `EMBEDDING_DTYPE` has to say which.
 */
export function findModelFile(directory: string, dtype: string | undefined): string {
  const graphs = folders.flatMap((folder) =>
    filesOf(join(directory, folder))
      .filter((name) => name.endsWith('.onnx'))
      .map((name) => join(folder, name)),
  );
  const wanted = modelFileName(dtype ?? 'fp32');
  const found = folders.map((folder) => join(folder, wanted)).find((path) => graphs.includes(path));
  if (found) return found;
  if (graphs.length === 0)
    throw new Error(
      `${directory}: no ONNX graph, neither ${folders.map((f) => join(f, wanted)).join(' nor ')}`,
    );
  if (dtype === undefined && graphs.length === 1) return graphs[0]!;
  const choices = graphs.map(dtypeOf).join(', ');
  throw new Error(`${directory}: no ${wanted}; set EMBEDDING_DTYPE to one of ${choices}`);
}

/** The files beside a graph that hold its weights, as `model.onnx_data`, in order; relative to `directory`. */
export function externalDataFiles(directory: string, modelFile: string): string[] {
  const folder = join(modelFile, '..');
  return filesOf(join(directory, folder))
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(modelFile) && path !== modelFile)
    .sort();
}

function filesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function dtypeOf(path: string): string {
  const name = /([^/\\]*)\.onnx$/.exec(path)?.[1] ?? path;
  const suffix = name.replace(/^model/, '');
  const known = Object.entries(suffixes).find(([, ending]) => ending === suffix);
  return known ? known[0] : suffix.replace(/^_/, '');
}
