import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from './directory.ts';
import type { Environment, Finished } from './embedgate.ts';

const program = fileURLToPath(new URL('../../bin/embedgate.js', import.meta.url));
const inNamespace = ['--user', '--map-root-user', '--mount'];
const deadlineMs = 200_000;

/** Whether this machine lets a process have mounts of its own. */
export const canMount =
  process.platform === 'linux' && spawnSync('unshare', [...inNamespace, 'true']).status === 0;

/** Runs the real command with these mounts, which only it sees. `mounts` is a shell script. */
export async function embedgateWithMounts(
  mounts: string,
  args: readonly string[],
  environment: Environment,
): Promise<Finished> {
  const script = `${mounts} && exec "$@"`;
  const command = [...inNamespace, 'sh', '-c', script, 'sh', process.execPath, program, ...args];
  const child = spawn('unshare', command, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: deadlineMs,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** A file system of its own size, which is gone when its scope ends. Undefined: this process may not mount one. */
export function smallDisk(megabytes: number): (Disposable & { readonly path: string }) | undefined {
  const directory = temporaryDirectory();
  const { path } = directory;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  if (mounted.status === 0) {
    return {
      path,
      [Symbol.dispose]() {
        spawnSync('umount', ['--lazy', path]);
        directory[Symbol.dispose]();
      },
    };
  }
  directory[Symbol.dispose]();
  return undefined;
}
