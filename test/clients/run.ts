import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runFiles } from '../helpers/run-files.ts';

// `npm run test:clients`: installs the packages of package.json in this folder, checks the types, and runs
// the clients' suite and the blocks of the documentation that import these packages. `npm ci` leaves these
// packages out, because they are large.

const folder = fileURLToPath(new URL('.', import.meta.url));
const files = ['packages/packages-checks.ts', 'blocks-checks.ts'];
const installDeadlineMs = 300_000;
const compileDeadlineMs = 120_000;
const unreachable =
  /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ECONNECTIONTIMEOUT|ENOTCACHED|EHOSTUNREACH|ENETUNREACH)\b/;

const install = spawnSync('npm', ['ci', '--ignore-scripts', '--fetch-retries=1'], {
  cwd: folder,
  encoding: 'utf8',
  timeout: installDeadlineMs,
  shell: process.platform === 'win32',
});
if (install.status === 0) {
  if (typesAreRight()) runFiles(files.map((file) => fileURLToPath(new URL(file, import.meta.url))));
  else process.exitCode = 1;
} else {
  const [code] = unreachable.exec(install.stderr) ?? [];
  if (code) console.log(`skipped: no package registry can be reached (${code})`);
  else {
    console.error(install.error?.message ?? install.stderr);
    process.exitCode = 1;
  }
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
