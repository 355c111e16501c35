import type { Command } from 'commander';
import {
  convertedDtype,
  listModels,
  pullModel,
  type StoredModel,
} from '../../../packages/engine-onnx/src/index.ts';
import { readHubSettings } from '../../config/models.ts';
import { megabytes, printList, printResult, tell, withProgress } from '../output.ts';
import { columns, fields } from '../table.ts';
import { convertCommand, convertedModel, dataDirOf } from './convert-model.ts';

type Environment = NodeJS.ProcessEnv;
type PullOptions = { revision?: string; dtype?: string; json?: boolean };

const details = `
Downloads files from HF_ENDPOINT (default: https://huggingface.co) to DATA_DIR/models, with HF_TOKEN if it is set.
Each file is verified by its checksum. An interrupted download continues where it stopped, and is not used before it
is complete.

Examples:
  $ embedgate models pull BAAI/bge-small-en-v1.5
  $ embedgate models pull BAAI/bge-small-en-v1.5 --dtype int8
  $ embedgate models pull Xenova/bge-small-en-v1.5 --dtype q8 --revision v1.0`;

export function modelsCommands(program: Command, environment: Environment): void {
  const group = program
    .command('models')
    .description('download, convert and list models')
    .addHelpText('after', '\nExample:\n  $ embedgate models pull BAAI/bge-small-en-v1.5');
  group
    .command('pull <id>')
    .description('download a model of the Hugging Face hub; <id> is its organization and name')
    .option('--revision <revision>', 'a branch, a tag or a commit (default: main)')
    .option(
      '--dtype <dtype>',
      'the graph to download: q8, fp16 … (default: full precision), or int8 to convert it',
    )
    .addHelpText('after', details)
    .action((id: string, options: PullOptions) => pull(environment, id, options));
  convertCommand(group, environment);
  group
    .command('list')
    .description('list the downloaded models')
    .addHelpText('after', '\nExample:\n  $ embedgate models list')
    .action((options: { json?: boolean }) => list(environment, options));
}

async function pull(
  environment: Environment,
  id: string,
  { revision, dtype, json }: PullOptions,
): Promise<void> {
  const request = {
    ...readHubSettings(environment),
    dataDir: dataDirOf(environment),
    id,
    revision,
    onBusy: tell,
    onWait: () => tell('This model is already being pulled. Waiting for that to finish.'),
  };
  const isConverted = dtype === convertedDtype;
  const pulled = await withProgress(
    `Pulling ${id}`,
    (onProgress) => pullModel({ ...request, dtype: isConverted ? undefined : dtype, onProgress }),
    megabytes,
  );
  const model = isConverted ? await convertedModel(environment, pulled) : pulled;
  printResult({ json: json === true }, entryOf(model), () =>
    fields([
      ['model', model.id],
      ['commit', model.commit],
      ['graph', model.graph],
      ...(model.usage ? [['used as', model.usage.id] as const] : []),
      ['size', megabytes(model.sizeBytes)],
      ['directory', model.directory],
    ]),
  );
}

async function list(environment: Environment, options: { json?: boolean }): Promise<void> {
  const models = await listModels(dataDirOf(environment));
  const rows = models.map(({ id, commit, graph, sizeBytes }) => [
    id,
    commit.slice(0, 12),
    graph,
    megabytes(sizeBytes),
  ]);
  printList(
    options,
    models.map(entryOf),
    () => columns(['model', 'commit', 'graph', 'size'], rows),
    'No models have been pulled yet. The built-in model needs no download.',
  );
}

/** Returns the fields of the JSON output, named as in other lists. */
function entryOf({ id, commit, dtype, graph, usage, directory, sizeBytes }: StoredModel) {
  return { id, commit, dtype, graph, usage, directory, size_bytes: sizeBytes };
}
