import type { Command } from 'commander';
import type { OnnxSettings } from '../../../packages/engine-onnx/src/index.ts';
import { ConfigError, readConfig } from '../../config/config.ts';
import { countFrom } from '../arguments.ts';
import { printResult, tell, withProgress } from '../output.ts';
import { columns } from '../table.ts';

type BenchOptions = { config?: string; model?: string; seconds: number; json?: boolean };

const details = `
Computes sample texts of 1 to 120 words with the configured model, and prints the two variables to set. The figures are
only meaningful on an otherwise idle machine.

Examples:
  $ embedgate bench
  $ EMBEDDING_MODEL=BAAI/bge-small-en-v1.5 embedgate bench --seconds 20`;

export function benchCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('bench')
    .description('find the fastest number of workers and threads for this machine')
    .option('--seconds <seconds>', 'how long to measure each combination', countFrom(1, 600, 'seconds'), 5)
    .option('--model <name>', 'the model to measure if several are served (default: the first)')
    .option('--config <file>', 'a YAML or JSON file with models to serve; same as EMBEDGATE_CONFIG')
    .addHelpText('after', details)
    .action((options: BenchOptions) => bench(environment, options));
}

async function bench(own: NodeJS.ProcessEnv, options: BenchOptions): Promise<void> {
  const environment = options.config === undefined ? own : { ...own, EMBEDGATE_CONFIG: options.config };
  const config = readConfig(environment);
  const settings = chosenModel(config.models, options.model);
  // Loaded here, because most commands do not need it.
  const { tune } = await import('../bench/tune.ts');
  const context = { dataDir: config.dataDir, hub: config.hub, info: tell, warn: tell };
  const { dtype, plans, best } = await withProgress('Measuring', (onProgress) =>
    tune(settings, context, { seconds: options.seconds, onProgress }),
  );
  const variables = { EMBEDDING_WORKERS: best.workers, EMBEDDING_THREADS: best.threadsPerWorker };
  const result = {
    model: settings.name,
    dtype,
    plans: plans.map(({ workers, threadsPerWorker, textsPerSecond, runtime }) => ({
      workers,
      threads: threadsPerWorker,
      texts_per_second: rounded(textsPerSecond),
      runtime,
    })),
    set: variables,
  };
  printResult(options, result, () => {
    const rows = result.plans.map((plan) => [
      plan.workers,
      plan.threads,
      plan.texts_per_second,
      plan.runtime,
    ]);
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    return `${columns(['workers', 'threads', 'texts/s', 'computed by'], rows)}\n\nThe fastest for ${settings.name} in ${dtype}:\n\n${lines.join('\n')}`;
  });
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

function chosenModel(
  models: ReturnType<typeof readConfig>['models'],
  name: string | undefined,
): OnnxSettings {
  const settings = name === undefined ? models[0] : models.find((model) => model.name === name);
  if (!settings) {
    throw new ConfigError(
      `--model: "${name}" is not served; for example --model ${models.map((model) => model.name).join(', ')}`,
    );
  }
  if (settings.kind === 'onnx') return settings;
  throw new ConfigError(`"${settings.name}" runs on an upstream, so it has no threads to set here`);
}
