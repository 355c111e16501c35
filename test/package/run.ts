import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

// `npm run test:package`: packs, installs and uses the npm package. It needs a package registry, so `npm test` leaves it out.

const files = [fileURLToPath(new URL('package-checks.ts', import.meta.url))];
const stream = run({ files, execArgv: ['--no-warnings'] });
let failed = 0;
let passed = 0;
stream.on('test:fail', ({ details }) => {
  if (details.type !== 'suite') failed += 1;
});
stream.on('test:pass', ({ details }) => {
  if (details.type !== 'suite') passed += 1;
});
stream.compose(spec).pipe(process.stdout);
stream.on('end', () => {
  process.on('exit', () => console.log(`${passed} passed, ${failed} failed`));
  if (failed > 0 || passed === 0) process.exitCode = 1;
});
