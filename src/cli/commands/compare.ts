import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Command } from 'commander';
import { compareVectors, inputFormats } from '../../../packages/embed-file/src/index.ts';
import { printResult } from '../output.ts';
import { columns, fields } from '../table.ts';
import { defaultUrl, endpoint, oneOf, shownProgress, stored } from './embed.ts';

type CompareOptions = { texts: string; field: string; url?: string; json?: boolean };

const details = `
<a> and <b> are each the name of a model, the address of a server, both as http://server#model, or a .jsonl or .parquet
file that "embedgate embed" has written with the same texts.

EMBEDGATE_KEY is the API key. EMBEDGATE_KEY_B is the one for <b>, if that needs another.
Up to 300 texts are searched for, each with four of its words in alphabetical order, and their ten nearest texts are
compared.

Example:
  $ EMBEDGATE_KEY=sk_… embedgate compare all-MiniLM-L6-v2 bge-small-en-v1.5 --texts articles.jsonl`;

export function compareCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('compare')
    .description('compare two models, two servers, or a server and stored vectors on your own texts')
    .argument('<a>', 'a model, a server or a file')
    .argument('<b>', 'another one')
    .requiredOption('--texts <file>', 'the file with the texts', oneOf(inputFormats))
    .option('--field <name>', 'the field or column of the text', 'text')
    .option('--url <url>', `the server of models; same as EMBEDGATE_URL (default: ${defaultUrl})`)
    .addHelpText('after', details)
    .action((a: string, b: string, options: CompareOptions) => compare(environment, [a, b], options));
}

async function compare(environment: NodeJS.ProcessEnv, names: readonly string[], options: CompareOptions) {
  const { update: onProgress, note: onRetry, end } = await shownProgress();
  using directory = mkdtempDisposableSync(join(tmpdir(), 'embedgate-compare-'));
  const sides = names.map((name, i) => {
    if (stored.includes(extname(name))) return name;
    const [url, model] = /^https?:/.test(name) ? name.split('#') : [undefined, name];
    return {
      url: endpoint(url ?? options.url ?? (environment.EMBEDGATE_URL || defaultUrl)),
      key: (i === 1 && environment.EMBEDGATE_KEY_B) || environment.EMBEDGATE_KEY || undefined,
      fields: { model },
    };
  });
  const job = { ...options, input: options.texts, sides, directory: directory.path, onProgress, onRetry };
  const compared = await compareVectors(job).finally(end);
  const result = { ...compared, sides: compared.sides.map((side, i) => ({ name: names[i]!, ...side })) };
  printResult(options, result, () => {
    const rows = result.sides.map((side) => {
      const found = [side.found_first, side.found_in_ten].map(percent);
      return [side.name, side.model ?? '–', side.dimensions, side.queries, ...found];
    });
    const joint = fields([
      ['Texts', result.texts],
      ['Lowest cosine', result.lowest_cosine?.toFixed(4) ?? '–'],
      ['Median cosine', result.median_cosine?.toFixed(4) ?? '–'],
      ['Ten nearest kept', percent(result.nearest_kept)],
    ]);
    return `${columns(['side', 'model', 'dimensions', 'queries', 'found first', 'among ten'], rows)}\n\n${joint}`;
  });
}

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);
