import { type Command, InvalidArgumentError } from 'commander';
import {
  convertedDtype,
  convertModel,
  convertPulled,
  type OnnxSettings,
  refuseUnknownModel,
  type StoredModel,
} from '../../../packages/engine-onnx/src/index.ts';
import { ConfigError, readConfig } from '../../config/config.ts';
import { readHubSettings } from '../../config/models.ts';
import { megabytes, printResult, tell, withProgress } from '../output.ts';
import { fields } from '../table.ts';

type Environment = NodeJS.ProcessEnv;
type ConvertOptions = { revision?: string; minCorrelation?: number; json?: boolean };

const convertDetails = `
Converts the float32 model once, into a directory beside the original, and compares both on sample texts. A service
with EMBEDDING_DTYPE=int8 does the same at its first start. The settings EMBEDDING_OUTPUT, EMBEDDING_POOLING,
EMBEDDING_MAX_TOKENS and EMBEDDING_DOCUMENT_PROMPT apply, as for a service that serves the model.

Examples:
  $ embedgate models convert BAAI/bge-small-en-v1.5
  $ embedgate models convert ./models/bge-small --min-correlation 0.98`;

/** Adds the command to the group `models`. */
export function convertCommand(group: Command, environment: Environment): void {
  group
    .command('convert <model>')
    .description('convert a model to int8; <model> is a directory, or an id of the Hugging Face hub')
    .option(
      '--min-correlation <number>',
      'lowest correlation to accept between the similarities of texts in int8 and float32 (default for a new ' +
        'conversion: 0.99)',
      parseCorrelation,
    )
    .option('--revision <revision>', 'a branch, a tag or a commit of the hub (default: main)')
    .addHelpText('after', convertDetails)
    .action((model: string, options: ConvertOptions) => convert(environment, model, options));
}

/** Converts a pulled model. */
export async function convertedModel(
  environment: Environment,
  { id, directory }: StoredModel,
): Promise<StoredModel> {
  const { overrides } = modelOf(environment, { id, dtype: convertedDtype });
  return withProgress(
    `Converting ${id}`,
    (onProgress) => convertPulled({ directory, dataDir: dataDirOf(environment), overrides, onProgress }),
    megabytes,
  );
}

async function convert(
  environment: Environment,
  id: string,
  { revision, minCorrelation, json }: ConvertOptions,
): Promise<void> {
  const settings = modelOf(environment, { id, revision, dtype: convertedDtype });
  const context = {
    dataDir: dataDirOf(environment),
    hub: readHubSettings(environment),
    info: tell,
  };
  const model = await withProgress(
    `Converting ${id}`,
    (onProgress) => convertModel({ ...context, settings, minCorrelation, onProgress }),
    megabytes,
  );
  const { directory, products, correlation, lowestCosine, meanCosine } = model;
  const result = { directory, products, correlation, lowest_cosine: lowestCosine, mean_cosine: meanCosine };
  printResult({ json: json === true }, result, () =>
    fields([
      ['model', id],
      ['products', String(products)],
      ['correlation', correlation.toFixed(decimals)],
      ['lowest cosine', lowestCosine.toFixed(decimals)],
      ['mean cosine', meanCosine.toFixed(decimals)],
      ['directory', directory],
    ]),
  );
}

const decimals = 4;

function parseCorrelation(text: string): number {
  const correlation = Number(text);
  if (text.trim() !== '' && correlation >= -1 && correlation <= 1) return correlation;
  throw new InvalidArgumentError('Give a number from -1 to 1.');
}

/** Returns the settings that a service would have for the model. Other settings may name models that don't exist. */
function modelOf(
  environment: Environment,
  { id, revision, dtype }: { id: string; revision?: string | undefined; dtype?: string | undefined },
): OnnxSettings {
  refuseUnknownModel(id);
  const own = Object.entries(environment).filter(([name]) => usedSettings.includes(name));
  const [model] = readConfig({
    ...Object.fromEntries(own),
    EMBEDDING_MODEL: id,
    ...(revision !== undefined && { EMBEDDING_REVISION: revision }),
    ...(dtype !== undefined && { EMBEDDING_DTYPE: dtype }),
  }).models;
  if (model?.kind !== 'onnx') throw new ConfigError(`"${id}" runs on an upstream, so it can't be used here`);
  return model;
}

const usedSettings = [
  'DATA_DIR',
  'EMBEDDING_OUTPUT',
  'EMBEDDING_POOLING',
  'EMBEDDING_MAX_TOKENS',
  'EMBEDDING_QUERY_PROMPT',
  'EMBEDDING_DOCUMENT_PROMPT',
];

/** Reads only DATA_DIR, because the other settings may name a model that has not been pulled yet. */
export const dataDirOf = ({ DATA_DIR }: Environment): string => readConfig({ DATA_DIR }).dataDir;
