import { extname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import {
  earlierOutput,
  embedFile,
  type FileProgress,
  inputFormats,
  outputFormats,
} from '../../../packages/embed-file/src/index.ts';
import { httpAddress } from '../../../packages/small/src/http-address.ts';
import { ConfigError } from '../../config/config.ts';
import { withoutControls } from '../../lib/harmless.ts';
import { countFrom, parseDuration } from '../arguments.ts';
import { printResult, tell } from '../output.ts';
import { fields } from '../table.ts';

type EmbedOptions = {
  out: string;
  url?: string;
  model?: string;
  dimensions?: number;
  inputType?: string;
  field: string;
  batchSize: number;
  concurrency: number;
  attempts: number;
  timeout?: number;
  batch?: boolean;
  split?: boolean;
  previous?: string;
  expectedFingerprint?: string;
  force?: boolean;
  json?: boolean;
};

/** Outputs that have the texts. */
export const stored = ['.jsonl', '.parquet'];
export const defaultUrl = 'http://localhost:8080';
const defaultTimeoutMs = 120_000;
const noteEveryMs = 10_000;

const details = `
<input> is .txt (one text per line), .jsonl, .csv or .parquet. The output is .jsonl or .parquet (all fields of the
input, "embedding" and "truncated") or .npy (float32, one row per text) with a .json file. The order is that of the input.

EMBEDGATE_KEY is the API key. There is no option for it, because other users of a machine can see options.

After a failure, or when it is killed, run the same command again: it continues. What is finished is in a file beside
the output whose name ends with .partial.

Examples:
  $ EMBEDGATE_KEY=sk_… embedgate embed texts.txt --out vectors.npy
  $ embedgate embed articles.parquet --field body --out articles-embedded.parquet --url https://embeddings.example.com`;

export function embedCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('embed')
    .description('embed all texts of a file with a running server')
    .argument('<input>', 'the file with the texts', oneOf(inputFormats))
    .requiredOption('--out <file>', 'the file to write', oneOf(outputFormats))
    .option('--field <name>', 'the field or column of the text', 'text')
    .option('--url <url>', `the server; same as EMBEDGATE_URL (default: ${defaultUrl})`)
    .option('--model <name>', "the model (default: the server's)")
    .option('--dimensions <count>', 'the size of the vectors', countFrom(1, 65_536, 'dimensions'))
    .option('--input-type <type>', 'what the texts are, such as document or query')
    .option('--batch-size <texts>', 'texts per request', countFrom(1, 2_048, 'texts'), 64)
    .option('--concurrency <requests>', 'requests at a time', countFrom(1, 256, 'requests'), 4)
    .option(
      '--attempts <count>',
      'how often to send a request that fails',
      countFrom(1, 1_000, 'attempts'),
      8,
    )
    .option('--timeout <duration>', 'how long a response may take (default: 2m)', parseDuration)
    .option('--batch', 'run the texts as batches, behind all requests')
    .option('--previous <file>', 'an earlier output, to copy the vectors of the same texts', oneOf(stored))
    .option('--split', 'divide the texts into parts that the model reads to their end')
    .option('--expected-fingerprint <fingerprint>', 'refuse vectors with another one')
    .option('--force', 'replace the output if it exists')
    .addHelpText('after', details)
    .action((input: string, options: EmbedOptions) => embed(environment, input, options));
}

async function embed(environment: NodeJS.ProcessEnv, input: string, options: EmbedOptions): Promise<void> {
  const { out, model, dimensions, inputType, previous, json: _json, ...rest } = options;
  const shown = await shownProgress();
  const report = await embedFile({
    ...rest,
    input,
    output: out,
    url: endpoint(options.url ?? (environment.EMBEDGATE_URL || defaultUrl)),
    key: environment.EMBEDGATE_KEY || undefined,
    fields: { model, dimensions, input_type: inputType },
    timeoutMs: options.timeout ?? defaultTimeoutMs,
    replaces: options.force ?? false,
    isBatch: options.batch ?? false,
    isSplit: options.split ?? false,
    previous: previous ? await earlierOutput(previous, options.field) : undefined,
    onProgress: shown.update,
    onRetry: shown.note,
  }).finally(shown.end);
  const { total, resumed, copied, cached, truncated, tokens, fingerprint } = report;
  const result = {
    file: out,
    texts: total,
    resumed,
    copied,
    cached,
    truncated,
    tokens,
    dimensions: report.dimensions,
    model: report.model,
    fingerprint,
  };
  printResult(options, result, () =>
    fields([
      ['File', out],
      ['Texts', `${total}${resumed > 0 ? `, ${resumed} of them by earlier runs` : ''}`],
      ['Copied', String(copied)],
      ['Cached', String(cached)],
      ['Cut', String(truncated)],
      ['Tokens', String(tokens)],
      ['Dimensions', String(report.dimensions)],
      ['Model', report.model ?? 'none'],
      ['Fingerprint', fingerprint ?? 'none'],
    ]),
  );
}

interface Shown {
  update(progress: FileProgress): void;
  note(message: string): void;
  end(): void;
}

const textsPerSecond = ({ done, copied, resumed }: FileProgress, startedMs: number): number =>
  Math.round((done - copied - resumed) / Math.max(0.001, (performance.now() - startedMs) / 1_000));

export const shownProgress = async (): Promise<Shown> =>
  process.stderr.isTTY ? progressBar() : progressLines();

/** Shows a bar on the terminal. */
async function progressBar(): Promise<Shown> {
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format:
      'Embedding {bar} {value}/{total} | {rate} texts/s | {eta_formatted} left | {cached} cached | {tokens} ' +
      'tokens {note}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    stream: process.stderr,
    etaBuffer: 100,
  });
  let startedMs: number | undefined;
  return {
    update: (progress) => {
      const { total, done, cached, tokens } = progress;
      if (startedMs === undefined) bar.start(total, done, { rate: 0, cached, tokens, note: '' });
      startedMs ??= performance.now();
      bar.update(done, { rate: textsPerSecond(progress, startedMs), cached, tokens, note: '' });
    },
    note: (message) => bar.update({ note: `| ${withoutControls(message)}` }),
    end: () => bar.stop(),
  };
}

/** Prints a line now and then, for logs. */
function progressLines(): Shown {
  const startedMs = performance.now();
  let last = { progress: startedMs, note: Number.NEGATIVE_INFINITY };
  return {
    update: (progress) => {
      const { total, done, copied, resumed } = progress;
      if (done === copied + resumed && resumed > 0) tell(`Continuing after ${resumed} of ${total} texts`);
      if (performance.now() - last.progress < noteEveryMs) return;
      last = { ...last, progress: performance.now() };
      tell(`Embedded ${done} of ${total} texts, ${textsPerSecond(progress, startedMs)} texts/s`);
    },
    note: (message) => {
      if (performance.now() - last.note < noteEveryMs) return;
      last = { ...last, note: performance.now() };
      tell(message);
    },
    end: () => {},
  };
}

/** Returns a parser of file names that accepts only some endings. */
export function oneOf(endings: readonly string[]) {
  return (file: string): string => {
    if (endings.includes(extname(file))) return file;
    throw new InvalidArgumentError(`Give a file whose name ends with ${endings.join(', ')}.`);
  };
}

/** Returns the server's address with `/v1` at its end, whether or not it was stated with it. */
export function endpoint(url: string): string {
  httpAddress(url, ['path'], (fault) => {
    throw new ConfigError(`--url or EMBEDGATE_URL ${fault}; for example ${defaultUrl}`);
  });
  return `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
}
