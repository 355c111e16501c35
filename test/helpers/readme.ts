import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** In the checkout, so that the packages are found by their names. */
const programs = fileURLToPath(new URL('../../.cache/readme-', import.meta.url));

/** Runs the JavaScript on the page of the package `name`. Returns what it prints. */
export async function runReadme(name: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const page = readFileSync(new URL(`../../packages/${name}/README.md`, import.meta.url), 'utf8');
  const [, program = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  mkdirSync(join(programs, '..'), { recursive: true });
  const directory = mkdtempSync(programs);
  try {
    const file = join(directory, 'program.mjs');
    writeFileSync(file, program);
    const options = { env: { ...process.env, ...env }, timeout: 60_000 };
    return (await promisify(execFile)(process.execPath, ['--no-warnings', file], options)).stdout;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
