import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** Runs test files, prints their reports, and makes this process fail when one fails or none passes. */
export function runFiles(
  files: string[],
  { timeoutMs = 600_000, concurrency = true }: { timeoutMs?: number; concurrency?: number | boolean } = {},
): void {
  const stream = run({ files, concurrency, timeout: timeoutMs, execArgv: ['--no-warnings'] });
  let failed = 0;
  let passed = 0;
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') failed += 1;
  });
  stream.on('test:pass', ({ details, skip }) => {
    if (details.type !== 'suite' && skip === undefined) passed += 1;
  });
  stream.compose(spec).pipe(process.stdout);
  stream.on('end', () => {
    process.on('exit', () => console.log(`${passed} passed, ${failed} failed`));
    if (failed > 0 || passed === 0) process.exitCode = 1;
  });
}
