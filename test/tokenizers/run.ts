import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTokenizer, type Tokenizer } from '../../src/embeddings/engines/onnx/tokenizer.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { encoded } from '../helpers/encoded.ts';
import { texts } from './texts.ts';

// `npm run test:tokenizers`: trains tokenizers with the reference, the Python package `tokenizers`, and
// compares the ids of texts of every script. It installs the packages in a temporary folder; without Python
// or a package registry it is skipped.

const packages = ['tokenizers==0.23.2', 'sentencepiece==0.2.3'];
const installDeadlineMs = 180_000;
const referenceDeadlineMs = 900_000;
const program = fileURLToPath(new URL('reference.py', import.meta.url));
const shownDifferences = 3;
const unlimited = 1_000_000;

interface Made {
  readonly name: string;
  readonly file: string;
  readonly group: 'exact' | 'refused';
}

interface Reference {
  readonly ids: readonly number[][];
  readonly limits: readonly number[];
  readonly cut: readonly number[][][];
}

using directory = temporaryDirectory();
const python = installed(directory.path);
if (typeof python === 'string') console.log(`skipped: ${python}`);
else compare(python.path, directory.path);

function installed(path: string): { path: string } | string {
  const folder = join(path, 'python');
  const created = spawnSync('python3', ['-m', 'venv', folder], {
    encoding: 'utf8',
    timeout: installDeadlineMs,
  });
  if (created.status !== 0) return 'no Python 3 with venv was found';
  const inside = join(folder, 'bin', 'python');
  const options = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--retries=1',
    ...packages,
  ];
  const { status, stderr } = spawnSync(inside, options, { encoding: 'utf8', timeout: installDeadlineMs });
  return status === 0
    ? { path: inside }
    : `the packages could not be installed (${stderr.trim().split('\n').at(-1)})`;
}

function compare(pythonPath: string, path: string): void {
  const all = texts();
  writeFileSync(join(path, 'texts.json'), JSON.stringify(all));
  const { status } = spawnSync(pythonPath, [program, path], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: referenceDeadlineMs,
    env: { ...process.env, TOKENIZERS_PARALLELISM: 'false' },
  });
  if (status !== 0) {
    console.error('The reference failed.');
    process.exitCode = 1;
    return;
  }
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(path, name), 'utf8')) as T;
  let passed = 0;
  let failed = 0;
  for (const { name, file, group } of read<Made[]>('names.json')) {
    const result = check(read(`${file}.json`), group === 'exact' ? read(`${file}.ids.json`) : undefined, all);
    if (result.isRight) passed += 1;
    else failed += 1;
    console.log(`${result.isRight ? 'ok    ' : 'FAILED'} ${name.padEnd(60)} ${result.summary}`);
    for (const line of result.differences.slice(0, shownDifferences)) console.log(`         ${line}`);
  }
  console.log(`${all.length} texts`);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

interface Result {
  readonly isRight: boolean;
  readonly summary: string;
  readonly differences: readonly string[];
}

/** Compares with `reference`. Without one, the tokenizer has to be refused by name. */
function check(json: JsonObject, reference: Reference | undefined, all: readonly string[]): Result {
  let tokenizer: Tokenizer;
  try {
    tokenizer = createTokenizer(json);
  } catch (error) {
    const { message } = error as Error;
    const isRight = !reference && /^tokenizer\.json: .*"/.test(message);
    return { isRight, summary: `refused: ${message}`, differences: [] };
  }
  if (!reference) return { isRight: false, summary: 'not refused', differences: [] };
  // The second time, V8 has compiled the code, and words come from the cache.
  const cold = differencesOf(tokenizer, reference, all);
  const warm = differencesOf(tokenizer, reference, all);
  const differences = [...cold, ...warm];
  return {
    isRight: differences.length === 0,
    summary: `${cold.length} differences cold, ${warm.length} warm`,
    differences,
  };
}

function differencesOf(
  tokenizer: Tokenizer,
  { ids, limits, cut }: Reference,
  all: readonly string[],
): string[] {
  const found: string[] = [];
  for (const [i, text] of all.entries()) {
    const whole = encoded(tokenizer, text, unlimited);
    const isCounted = whole.fullTokenCount === ids[i]!.length;
    const isCutRight = limits.every((limit, at) =>
      isEqual(encoded(tokenizer, text, limit).ids, cut[at]![i]!),
    );
    if (isCounted && isCutRight && isEqual(whole.ids, ids[i]!)) continue;
    const at = whole.ids.findIndex((id, place) => id !== ids[i]![place]);
    found.push(
      `text ${i} ${JSON.stringify(text.slice(0, 60))}: ${whole.ids.length} tokens, expected ${ids[i]!.length}; at ${at}: ${whole.ids.slice(at, at + 6)}, expected ${ids[i]!.slice(at, at + 6)}`,
    );
  }
  return found;
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}
