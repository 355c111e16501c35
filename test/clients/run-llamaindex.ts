import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../helpers/directory.ts';

// `npm run test:llamaindex`: installs LlamaIndex into a temporary directory, and runs the clients' suite with it.

const packages = {
  '@llamaindex/core': '0.6.23',
  '@llamaindex/env': '0.1.31',
  '@llamaindex/openai': '0.4.23',
};
const installDeadlineMs = 300_000;

using directory = temporaryDirectory();
writeFileSync(
  join(directory.path, 'package.json'),
  JSON.stringify({ private: true, type: 'module', dependencies: packages }),
);
const install = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: directory.path,
  encoding: 'utf8',
  timeout: installDeadlineMs,
});
const unreachable = /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|EHOSTUNREACH)\b/.exec(
  install.stderr,
);
if (unreachable) {
  console.log(`skipped: no package registry can be reached (${unreachable[0]})`);
} else if (install.status !== 0) {
  console.error(install.stderr);
  process.exitCode = 1;
} else {
  const run = fileURLToPath(new URL('../run.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [run, 'clients/clients'], {
    env: { ...process.env, LLAMAINDEX_DIRECTORY: directory.path },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
