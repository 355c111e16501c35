import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs the JavaScript on the page of the package at `directory`, as a program of that package. Returns what it prints. */
export async function runReadme(directory: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(directory, 'README.md'), 'utf8')) ?? [];
  const args = ['--no-warnings', '--input-type=module', '--eval', program];
  const options = { cwd: directory, env: { ...process.env, ...env }, timeout: 60_000 };
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}
