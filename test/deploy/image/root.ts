import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The directories of the machine's own system that replace those of the base image. */
const systemDirectories = ['/usr', '/etc'];
const links = { '/bin': 'usr/bin', '/sbin': 'usr/sbin', '/lib': 'usr/lib', '/lib64': 'usr/lib64' };

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  /** As in `USER`: numbers. */
  readonly user?: string;
  /** Only /tmp and the volumes can be written. */
  readonly isReadOnly?: boolean;
  readonly volumes?: readonly string[];
  /** Directories of the machine that are mounted too. */
  readonly mounts?: readonly string[];
}

/**
 * A root file system in a temporary directory: the machine's /usr and /etc, read-only, and a /usr/local with
 * the Node and the npm that run this, as the base image has them. All writes stay in the directory.
 */
export class Root implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'embedgate-image-'));

  constructor() {
    // Its user, who is not root, must be able to enter.
    chmodSync(this.directory, 0o755);
    for (const name of ['proc', 'dev', 'tmp', 'usr', 'etc', 'local/bin', 'local/lib/node_modules']) {
      mkdirSync(join(this.directory, name), { recursive: true });
    }
    for (const [link, target] of Object.entries(links)) {
      if (existsSync(link)) symlinkSync(target, join(this.directory, link));
    }
    cpSync(process.execPath, join(this.directory, 'local/bin/node'));
    cpSync(npmDirectory(), join(this.directory, 'local/lib/node_modules/npm'), {
      recursive: true,
      dereference: true,
    });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(this.directory, 'local/bin/npm'));
  }

  /** Starts a program in it, as process 1 of its own. */
  spawn(command: readonly string[], options: RunOptions): ChildProcess {
    return spawn('unshare', this.#args(command, options), { stdio: ['ignore', 'pipe', 'pipe'], env: {} });
  }

  /** Runs a program to its end. Throws with its output when it fails. */
  run(command: readonly string[], options: RunOptions): void {
    const { status, stdout, stderr } = spawnSync('unshare', this.#args(command, options), {
      encoding: 'utf8',
      env: {},
      timeout: 600_000,
    });
    if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  #args(command: readonly string[], options: RunOptions): string[] {
    const { env, workdir, user = '0:0', isReadOnly = false, volumes = [], mounts = [] } = options;
    const root = this.directory;
    const script = [
      'set -e',
      'mount --make-rprivate /',
      `mount --bind ${root} ${root}`,
      ...systemDirectories.map((path) => `mount --bind -o ro ${path} ${root}${path}`),
      `mount --bind ${root}/local ${root}/usr/local`,
      ...mounts.map((path) => `mkdir -p ${root}${path}; mount --bind ${path} ${root}${path}`),
      ...volumes.map((path) => `mount --bind ${root}${path} ${root}${path}`),
      ...(isReadOnly
        ? [`mount -o remount,ro,bind ${root}`, `mount -o remount,ro,bind ${root}/usr/local`]
        : []),
      `mount -t tmpfs tmpfs ${root}/tmp`,
      `mount --rbind /dev ${root}/dev`,
      `mount -t proc proc ${root}/proc`,
      // The user's command is process 1: every program before it is replaced by the next.
      `exec chroot --userspec=${user} ${root} env -C ${workdir} "$@"`,
    ];
    const variables = Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin', ...env });
    const settings = variables.map(([name, value]) => `${name}=${value}`);
    const own = ['--mount', '--pid', '--fork', '--kill-child'];
    return [...own, 'sh', '-c', script.join('\n'), 'sh', '-i', ...settings, ...command];
  }
}

/** The npm that runs this: its program is `bin/npm-cli.js` in its package. */
function npmDirectory(): string {
  const program = process.env.npm_execpath;
  if (!program) throw new Error('Start this with "npm run test:image"');
  return dirname(dirname(program));
}
