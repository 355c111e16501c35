import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runFiles } from '../helpers/run-files.ts';

// `npm run test:clients`: installs the packages of package.json in this folder, checks the types, and runs the clients' suite
// and the blocks of the documentation that import these packages. `npm ci` leaves these packages out, because they are large.

const folder = fileURLToPath(new URL('.', import.meta.url));
const files = ['packages/packages-checks.ts', 'blocks-checks.ts'];
const installDeadlineMs = 300_000;
const compileDeadlineMs = 120_000;

const install = spawnSync('npm', ['ci', '--ignore-scripts'], {
  cwd: folder,
  encoding: 'utf8',
  timeout: installDeadlineMs,
  shell: process.platform === 'win32',
});
const unreachable = /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|EHOSTUNREACH)\b/.exec(
  install.stderr,
);
if (unreachable) {
  console.log(`skipped: no package registry can be reached (${unreachable[0]})`);
} else if (install.status !== 0) {
  console.error(install.stderr || install.error?.message);
  process.exitCode = 1;
} else if (!typesAreRight()) {
  process.exitCode = 1;
} else {
  runFiles(files.map((file) => fileURLToPath(new URL(file, import.meta.url))));
}

function typesAreRight(): boolean {
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const { status, error } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', folder], {
    stdio: 'inherit',
    timeout: compileDeadlineMs,
  });
  if (error) console.error(error.message);
  return status === 0;
}
