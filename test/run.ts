import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// Every test, or those whose path contains one of the arguments: `npm test -- ledger keys`. With
// --test-name-pattern, the tests whose name matches. With --browser, the tests in a browser instead; with --long, the files that take minutes; with
// --faults, the files that break things for longer than CI has time for.

/** Concurrent files. Tests that measure run alone on the machine. */
const concurrency = { tests: Math.max(2, availableParallelism()), faults: 1 };
const kinds = ['browser', 'long', 'faults'] as const;
/** Only for a file that hangs: on a busy machine, one of a minute can take many. */
const timeoutMs = { tests: 300_000, others: 900_000 };
/** After this time, the name of a file that still runs is printed, and again each time. */
const noticeMs = 120_000;

// Each file is a process that loads the same modules. They are compiled once for all of them, as the service does.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/compiled', import.meta.url));

const { values, positionals: wanted } = readArguments();
const wantedKind = kinds.find((kind) => values[kind]);
// `npm run test:clients` leaves packages in a folder below test/, and packages can contain tests of their own.
const files = globSync(['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], {
  exclude: ['**/node_modules/**'],
})
  .filter((file) => kindOf(file) === wantedKind)
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  console.error(`No test file matches ${wanted.join(', ')}`);
  process.exit(1);
}

let passed = 0;
let failed = 0;
/** The reason → how many tests, or suites of tests. */
const skipped = new Map<string, number>();
const stream = run({
  files,
  concurrency: values.faults ? concurrency.faults : concurrency.tests,
  timeout: wantedKind ? timeoutMs.others : timeoutMs.tests,
  // A test that fails may leave something open that would keep its file running.
  forceExit: true,
  execArgv: ['--no-warnings'],
  testNamePatterns: values['test-name-pattern'],
});
reportSlowFiles();
stream.on('test:pass', ({ details, skip, todo }) => {
  if (skip !== undefined) skipped.set(String(skip), (skipped.get(String(skip)) ?? 0) + 1);
  if (details.type !== 'suite' && !skip && !todo) passed += 1;
});
stream.on('test:fail', ({ details }) => {
  if (details.type !== 'suite') failed += 1;
});
stream.compose(spec).pipe(process.stdout);
stream.on('end', () => {
  // After the reporter's own summary, so that this is the last line.
  process.on('exit', () => {
    for (const [why, count] of skipped) console.log(`${count} skipped, tests or whole suites: ${why}`);
    console.log(`${passed} passed, ${failed} failed`);
  });
  if (failed > 0 || passed === 0) process.exitCode = 1;
});

/** Prints the files that run for long, each with the test that it is at. */
function reportSlowFiles(): void {
  const running = new Map<string, { readonly sinceMs: number; test: string }>();
  stream.on('test:dequeue', ({ name, file = '' }) => {
    const known = running.get(file);
    if (known) known.test = name;
    else running.set(file, { sinceMs: performance.now(), test: 'its first test' });
  });
  // A file has an event of its own, with its relative path as the name.
  stream.on('test:complete', ({ name }) => running.delete(resolve(name)));
  setInterval(() => {
    for (const [file, { sinceMs, test }] of running) {
      const minutes = (performance.now() - sinceMs) / 60_000;
      if (minutes * 60_000 >= noticeMs)
        console.log(`${file} has been running for ${minutes.toFixed(0)} minutes, at: ${test}`);
    }
  }, noticeMs).unref();
}

function kindOf(file: string): string | undefined {
  return /\.(\w+)\.test\.ts$/.exec(file)?.[1];
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        browser: { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        faults: { type: 'boolean', default: false },
        'test-name-pattern': { type: 'string', multiple: true, default: [] },
      },
      allowPositionals: true,
    });
  } catch (reason) {
    console.error(`${(reason as Error).message}\n`);
    console.error(
      'Usage: npm test -- [part of a path …] [--test-name-pattern=<regular expression>] [--browser | --long | --faults]',
    );
    process.exit(2);
  }
}
