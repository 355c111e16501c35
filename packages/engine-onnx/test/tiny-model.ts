import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bertModel } from '../../../test/helpers/models/bert-graph.ts';
import { bertWeights, tinyBert } from '../../../test/helpers/models/bert-weights.ts';
import { type BertModelOptions, writeBertModel } from '../../../test/helpers/models/write-bert-model.ts';
import type { Engine, ModelOverrides } from '../../engine/src/index.ts';
import { encodeOnnxModel, type OnnxModel, type OnnxValue } from '../../onnx-int8/src/index.ts';
import { openOnnxEngine } from '../src/onnx-engine.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Writes a tiny BERT into a directory of its own. */
export async function write(options: BertModelOptions = {}): Promise<string> {
  const directory = await temporaryDirectory();
  await writeBertModel(directory, options);
  return directory;
}

export const open = (
  directory: string,
  overrides: ModelOverrides = {},
  warn: (what: string) => void = () => {},
): Promise<Engine> =>
  openOnnxEngine({
    directory,
    name: 'tiny',
    workers: 1,
    threadsPerWorker: 1,
    overrides,
    warn,
  }) as Promise<Engine>;

/** The name of the output with the tokens' vectors. */
export const hidden = 'last_hidden_state';

/** Returns a node that reads the tokens' vectors unless it has other inputs. */
export const node = (op: string, output: string, attributes = {}, inputs = [hidden]) => ({
  op,
  inputs,
  output,
  attributes,
});

/** Writes a BERT whose token vectors pass through more nodes to outputs of other names or shapes. */
export async function withOutputs(
  nodes: OnnxModel['nodes'],
  outputs: readonly OnnxValue[],
  initializers: OnnxModel['initializers'] = [],
): Promise<string> {
  const directory = await write();
  const model = bertModel(bertWeights(tinyBert));
  const graph = {
    ...model,
    nodes: [...model.nodes, ...nodes],
    initializers: [...model.initializers, ...initializers],
    outputs: [...outputs],
  };
  await writeFile(join(directory, 'onnx/model.onnx'), encodeOnnxModel(graph));
  return directory;
}

// biome-ignore lint/suspicious/noExplicitAny: a test's edit of a file whose shape it knows.
export type Json = any;

/** Edits a JSON file of a model. */
export async function change(directory: string, file: string, edit: (json: Json) => unknown): Promise<void> {
  const json: Json = JSON.parse(await readFile(join(directory, file), 'utf8'));
  edit(json);
  await writeFile(join(directory, file), JSON.stringify(json));
}
