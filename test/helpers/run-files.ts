import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

export interface RunOptions {
  /** Only for a file that hangs: on a busy machine, one of a minute can take many. */
  readonly timeoutMs?: number;
  /** Files at a time. True: one less than there are cores. */
  readonly concurrency?: number | boolean;
  /** Runs only the tests whose names match one of these regular expressions. */
  readonly names?: readonly string[];
  /** A module that each file's process and its threads load first. */
  readonly preload?: string;
  /** Returns what is wrong with the run as a whole, once all files have ended. */
  readonly faults?: () => Promise<readonly string[]>;
}

/** After this time, the name of a file that still runs is printed, and again each time. */
const noticeMs = 120_000;

/** Runs test files, prints their reports, and makes this process fail when a test fails or none passes. */
export function runFiles(
  files: string[],
  { timeoutMs = 600_000, concurrency = true, names = [], preload, faults }: RunOptions = {},
): void {
  const stream = run({
    files,
    concurrency,
    timeout: timeoutMs,
    execArgv: ['--no-warnings', ...(preload === undefined ? [] : ['--import', preload])],
    testNamePatterns: [...names],
  });
  let failed = 0;
  let passed = 0;
  const unfinished = new Set(files.map((file) => resolve(file)));
  stream.on('test:summary', ({ file }) => unfinished.delete(file ?? ''));
  /** The reason → how many tests, or suites of tests. */
  const skipped = new Map<string, number>();
  stream.on('test:fail', ({ details }) => {
    // A suite fails by itself when what it needs can't be opened or closed.
    const isByItself = 'failureType' in details.error && details.error.failureType !== 'subtestsFailed';
    if (details.type !== 'suite' || isByItself) failed += 1;
  });
  stream.on('test:pass', ({ details, skip, todo }) => {
    if (skip !== undefined) skipped.set(String(skip), (skipped.get(String(skip)) ?? 0) + 1);
    if (details.type !== 'suite' && !skip && !todo) passed += 1;
  });
  printSlowFiles(stream);
  stream.compose(spec).pipe(process.stdout);
  stream.on('end', async () => {
    const found = (await faults?.()) ?? [];
    for (const fault of found) console.log(`${fault}\n`);
    failed += found.length;
    for (const file of unfinished) console.log(`${file} has ended without the results of all its tests`);
    failed += unfinished.size;
    // After the reporter's own summary, so that this is the last line.
    process.on('exit', () => {
      for (const [why, count] of skipped) console.log(`${count} skipped, tests or whole suites: ${why}`);
      console.log(`${passed} passed, ${failed} failed`);
    });
    if (failed > 0 || passed + skipped.size === 0) process.exitCode = 1;
  });
}

/** Prints the files that run for long, each with the test that it is at. */
function printSlowFiles(stream: ReturnType<typeof run>): void {
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
