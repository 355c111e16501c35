import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from './helpers/postgres.ts';
import { runFiles } from './helpers/run-files.ts';
import { recordStatements } from './helpers/statement-plans.ts';

// `node test/run.ts unit,service ledger keys --test-name-pattern=429` runs the files of these folders whose path contains
// one of the words, or all of them, and their tests whose name matches.

// Each file is a process that loads the same modules. They are compiled once for all of them, as the service does.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/compiled', import.meta.url));

const { values, positionals } = parseArgs({
  options: { 'test-name-pattern': { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const [folders = '', ...words] = positionals;
const places = folders.split(',').map((folder) => `test/${folder}/**/*.test.ts`);
if (folders.includes('service')) places.push('packages/*/test/**/*.test.ts');
const files = globSync(places)
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) {
  console.error(`No test file of ${folders} matches ${words.join(', ')}`);
  process.exit(1);
}
const isQuick = /^(unit|service)/.test(folders);
// Starting a Postgres takes seconds, so files that need no own one share it. It ends with this process.
const sharing = files.filter((file) => readFileSync(file, 'utf8').includes(' openPostgres()'));
if (isQuick && sharing.length > 1)
  process.env.TEST_DATABASE_URL ??= `${(await startPostgres()).url}/postgres`;
const statements = recordStatements();
runFiles(files, {
  // Faults are injected, and their effects measured, on a machine that does nothing else. Other tests often wait, so there
  // is one more than there are processors.
  concurrency: folders === 'faults' ? 1 : availableParallelism() + 1,
  timeoutMs: isQuick ? 300_000 : folders === 'faults' ? 3_600_000 : 1_800_000,
  names: values['test-name-pattern'],
  preload: statements.module,
  faults: statements.faults,
});
