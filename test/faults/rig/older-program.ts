import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The last commit with the schema of version 7, before the migrations 8 to 10. */
const commit = 'a9d1353dee7a85d9ae8ce250365fcd84da70f707';

/** The reason why the older program is not available, or false. */
export function missingOlderProgram(): string | false {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return false;
  } catch {
    return `the history has no commit ${commit.slice(0, 7)}, as in a shallow clone`;
  }
}

/**
 * Writes the older program into an empty directory, to run with today's packages, and returns the path of its command.
 */
export function writeOlderProgram(directory: string): string {
  const archive = execFileSync('git', ['archive', '--format=tar', commit, 'bin', 'src', 'package.json'], {
    ...{ cwd: root, maxBuffer: 100_000_000 },
  });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return join(directory, 'bin/embedgate.js');
}
