import type { Command } from 'commander';
import { readConfig } from '../../config/config.ts';
import type { Engine, Model } from '../../engines/engine.ts';
import type { ModelSettings } from '../../engines/settings.ts';
import { invalidRequest } from '../../errors.ts';
import { printResult, tell } from '../output.ts';
import { columns, fields } from '../table.ts';
import { modelOf } from './convert-model.ts';

type Environment = NodeJS.ProcessEnv;
type DiffOptions = { config?: string; json?: boolean };

const details = `
Each of the two is the name of a model that the settings serve, a directory, or an id of the Hugging Face hub. Computes
sample texts with both, as queries and as documents. Files are shown with their checksums. Vectors with different
fingerprints must not share an index, because other texts can differ more than the samples.

Examples:
  $ embedgate models diff Xenova/bge-small-en-v1.5 Xenova/bge-base-en-v1.5
  $ embedgate models diff old new --config models.yaml`;

/** Adds the command to the group `models`. */
export function diffCommand(group: Command, environment: Environment): void {
  group
    .command('diff <model> <other>')
    .description('show what differs between two models, and how close their vectors are')
    .option('--config <file>', 'a YAML or JSON file with models to serve; same as EMBEDGATE_CONFIG')
    .addHelpText('after', details)
    .action((model: string, other: string, options: DiffOptions) =>
      diff(environment, [model, other], options),
    );
}

async function diff(own: Environment, names: readonly string[], options: DiffOptions): Promise<void> {
  const environment = options.config === undefined ? own : { ...own, EMBEDGATE_CONFIG: options.config };
  const { models, dataDir, hub } = readConfig(environment);
  const settings = names.map(
    (name): ModelSettings =>
      models.find((model) => model.name === name) ?? modelOf(environment, { id: name }),
  );
  // Loaded here, because most commands do not need the model's runtime.
  const { openEngines } = await import('../../engines/open.ts');
  const { agreementOf, sampleVectors } = await import('../../engines/agreement.ts');
  const allVectors = async (engine: Engine) => [
    ...(await sampleVectors(engine, 'document')),
    ...(await sampleVectors(engine, 'query')),
  ];
  const [engine, other] = await openEngines(settings, { dataDir, hub, info: tell, warn: tell });
  try {
    if (engine!.model.task !== other!.model.task)
      throw invalidRequest(
        'One of the models embeds texts and the other one reranks, so nothing can be compared',
      );
    const { correlation, ...cosines } = agreementOf(await allVectors(engine!), await allVectors(other!));
    const haveOneSize = engine!.model.dimensions === other!.model.dimensions;
    const { lowestCosine, meanCosine } = haveOneSize ? cosines : { lowestCosine: null, meanCosine: null };
    const [before, after] = [factsOf(engine!.model), factsOf(other!.model)];
    const differences = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
    const result = {
      models: names,
      differences: Object.fromEntries(
        differences.map((name) => [name, [before[name] ?? null, after[name] ?? null]]),
      ),
      lowest_cosine: lowestCosine,
      mean_cosine: meanCosine,
      correlation,
    };
    const shown = (value: unknown): string => (value == null ? 'none' : String(value));
    printResult(options, result, () =>
      [
        differences.length === 0
          ? 'Nothing differs.'
          : columns(
              ['', ...names],
              differences.map((name) => [name, shown(before[name]), shown(after[name])]),
            ),
        fields([
          ['lowest cosine', lowestCosine?.toFixed(4) ?? 'none, because the sizes differ'],
          ['mean cosine', meanCosine?.toFixed(4) ?? 'none, because the sizes differ'],
          ['correlation of similarities', correlation.toFixed(4)],
        ]),
      ].join('\n\n'),
    );
  } finally {
    await Promise.all([engine, other].map((opened) => opened!.close()));
  }
}

/** Returns what decides which vector a text gets, and what the vectors can be used for. */
function factsOf(model: Model): Record<string, string | number | null> {
  return {
    fingerprint: model.fingerprint,
    dimensions: model.dimensions,
    max_input_tokens: model.maxTokens,
    dtype: model.dtype ?? null,
    pooling: model.pooling ?? null,
    ...model.ingredients,
  };
}
