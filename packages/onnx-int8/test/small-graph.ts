/** Small graphs with one product or a few, and the means to run them. */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import {
  convertGraph,
  encodeOnnxModel,
  GraphBuilder,
  type GraphConversion,
  type OnnxModel,
  readGraph,
} from '../src/index.ts';

export const rows = 32;
export const columns = 48;

/** Numbers from −1 to 1 that look random. */
export function noise(count: number, seed = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 2 ** 30 - 1;
  });
}

/** The input `x` (texts × tokens × 32), `describe`'s nodes, and the output `y`. */
export function smallModel(
  describe: (graph: GraphBuilder) => void,
  changes: Partial<OnnxModel> = {},
): OnnxModel {
  const graph = new GraphBuilder();
  describe(graph);
  return {
    name: 'small',
    opset: 17,
    nodes: graph.nodes,
    initializers: graph.initializers,
    inputs: [{ name: 'x', type: 'float32', shape: ['texts', 'tokens', rows] }],
    outputs: [{ name: 'y', type: 'float32', shape: [] }],
    ...changes,
  };
}

export interface Converted {
  readonly from: string;
  readonly to: string;
  /** The operators of the new graph. */
  readonly operators: ReadonlySet<string>;
  readonly products: number;
}

/** Writes the model and converts it. `beside` are further files in its directory. */
export async function converted(
  model: OnnxModel,
  beside: Readonly<Record<string, Uint8Array>> = {},
  how: Pick<GraphConversion, 'computeTexts'> = {},
): Promise<Converted> {
  const directory = await mkdtemp(join(tmpdir(), 'onnx-int8-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const [from, to] = [join(directory, 'from/model.onnx'), join(directory, 'to/model.onnx')];
  for (const path of [from, to]) await mkdir(dirname(path), { recursive: true });
  await writeFile(from, encodeOnnxModel(model));
  for (const [name, bytes] of Object.entries(beside)) {
    const path = join(dirname(from), name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  const made = await convertGraph({ from, to, ...how });
  return { from, to, ...made, operators: readGraph(to).operators };
}

/** Runs a graph and returns `y`. */
export async function run(file: string, x: Float32Array, shape: readonly number[]): Promise<Float32Array> {
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 4 });
  const results = await session.run({ x: new Tensor('float32', x, shape) });
  return results.y!.data as Float32Array;
}

/** Returns the largest difference, relative to the largest number. */
export function difference(a: Float32Array, b: Float32Array): number {
  const largest = a.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0) / largest;
}
