import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs the JavaScript on the page of the package at `directory`, as a program of that package. Returns what it prints. */
export function runReadme(directory: string, env: NodeJS.ProcessEnv = {}): string {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(directory, 'README.md'), 'utf8')) ?? [];
  return execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 60_000,
  });
}
