import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Writes the program of a commit into an empty directory, to run with today's packages, and returns the path of its
 * command.
 */
export function writeOlderProgram(directory: string, commit: string): string {
  const files = ['bin', 'src', 'packages', 'docs/openapi.json', 'package.json'];
  const archive = execFileSync('git', ['archive', '--format=tar', commit, ...files], {
    cwd: root,
    maxBuffer: 100_000_000,
  });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return join(directory, 'bin/embedgate.js');
}
