/** Finds the graph among the files of an export. */
import { readdirSync } from 'node:fs';
import { isAbsolute, join, posix } from 'node:path';

/** The names that exports give: a dtype that isn't here is the name's ending itself, as `int8` or `O3`. */
const suffixes: Readonly<Record<string, string>> = { fp32: '', q8: '_quantized' };
const folders = ['onnx/', ''];
const graphPath = /^(?:onnx\/)?[^/]+\.onnx$/;

/** What a choice depends on: which setting names a dtype, and who has the files. */
export interface GraphChoice {
  readonly dtype: string | undefined;
  readonly setting: string;
  readonly owner: string;
}

/**
 * The graph among `paths`, relative and with `/`: the one of `dtype`; without that, `model.onnx`, or the only one there
 * is. Throws when there is none, or when `setting` has to say which.
 */
export function chooseGraph(paths: readonly string[], { dtype, setting, owner }: GraphChoice): string {
  const graphs = paths.filter((path) => graphPath.test(path));
  const name = `model${suffixes[dtype ?? 'fp32'] ?? `_${dtype}`}.onnx`;
  const wanted = folders.map((folder) => folder + name);
  const found = wanted.find((path) => graphs.includes(path));
  if (found) return found;
  if (graphs.length === 0) throw new Error(`${owner}: no ONNX graph, neither ${wanted.join(' nor ')}`);
  if (dtype === undefined && graphs.length === 1) return graphs[0]!;
  throw new Error(`${owner}: no ${name}; set ${setting} to one of ${graphs.map(dtypeOf).sort().join(', ')}`);
}

/** Those of `paths` that hold the weights of `graph`, as `onnx/model.onnx_data`. */
export function weightsOf(graph: string, paths: readonly string[]): string[] {
  return paths.filter((path) => path.startsWith(graph) && path !== graph).sort();
}

/**
 * The files among `locations`, which the graph names relative to its own directory, relative to the model's. Those outside of the model
 * are left out: ONNX Runtime refuses them.
 */
export function placesOf(graph: string, locations: readonly string[]): string[] {
  return locations
    .filter((location) => !isAbsolute(location) && !/^[a-z]:|\\/i.test(location))
    .map((location) => posix.join(posix.dirname(graph), location))
    .filter((path) => path !== '..' && !path.startsWith('../'));
}

/** The files of a model directory that may be a graph, or its weights. */
export function graphFiles(directory: string): string[] {
  return folders.flatMap((folder) => namesIn(join(directory, folder)).map((name) => folder + name));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function dtypeOf(path: string): string {
  const suffix = path.replace(/^(?:onnx\/)?(?:model)?/, '').replace(/\.onnx$/, '');
  const [dtype] = Object.entries(suffixes).find(([, ending]) => ending === suffix) ?? [];
  return dtype ?? suffix.replace(/^_/, '');
}
