import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The last release, or this commit as long as there is none. */
const commit = lastRelease() ?? 'HEAD';

function lastRelease(): string | undefined {
  const describe = ['describe', '--tags', '--abbrev=0', '--match', 'v*'];
  const { status, stdout } = spawnSync('git', describe, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** The reason why the older program is not available, or false. */
export function missingOlderProgram(): string | false {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return false;
  } catch {
    return `this is no clone of the repository`;
  }
}

/**
 * Writes the older program into an empty directory, to run with today's packages, and returns the path of its command.
 */
export function writeOlderProgram(directory: string): string {
  const archive = execFileSync('git', ['archive', '--format=tar', commit, 'bin', 'src', 'package.json'], {
    cwd: root,
    maxBuffer: 100_000_000,
  });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return join(directory, 'bin/embedgate.js');
}
