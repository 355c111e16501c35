import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const deadlineMs = 300_000;

export interface Printed {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of an install script or a program: a proxy on which nothing listens in place of any other host. */
export function environmentIn(directory: string, extra: Readonly<Record<string, string>> = {}) {
  return {
    PATH: `/usr/local/bin:/usr/bin:/bin`,
    HOME: directory,
    GLOBAL_AGENT_HTTP_PROXY: 'http://127.0.0.1:9',
    GLOBAL_AGENT_HTTPS_PROXY: 'http://127.0.0.1:9',
    DATA_DIR: `${directory}/data`,
    LOG_LEVEL: 'warn',
    EMBEDDING_WORKERS: '1',
    ...extra,
  };
}

/** The command `embedgate` of an installed package, run by the Node outside. */
export class Installed {
  readonly #command: string;
  readonly #directory: string;
  readonly #path: string;

  constructor(command: string, directory: string, nodeDirectory: string) {
    this.#command = command;
    this.#directory = directory;
    this.#path = `${nodeDirectory}:/usr/local/bin:/usr/bin:/bin`;
  }

  /** The words of a command, and its environment. */
  command(...args: readonly string[]): [[string, ...string[]], NodeJS.ProcessEnv] {
    const own = { PATH: this.#path, PORT: '0', HF_ENDPOINT: 'http://127.0.0.1:9' };
    return [[this.#command, ...args], environmentIn(this.#directory, own)];
  }

  start(...args: readonly string[]): ChildProcess {
    const [[command, ...words], env] = this.command(...args);
    return spawn(command, words, { cwd: this.#directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async run(...args: readonly string[]): Promise<Printed> {
    const child = this.start(...args);
    const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close'),
    ]);
    clearTimeout(timer);
    return { status, stdout, stderr };
  }

  /** Runs a command with `--json`, and returns what it printed. Throws when it failed. */
  async json<R>(...args: readonly string[]): Promise<R> {
    const { status, stdout, stderr } = await this.run(...args, '--json');
    if (status !== 0) throw new Error(`embedgate ${args.join(' ')} ended with ${status}: ${stderr}`);
    return JSON.parse(stdout) as R;
  }
}

/** Runs npm to its end. Throws with what it printed when it failed. */
export async function npm(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const options = { cwd, env, timeout: deadlineMs, maxBuffer: 64 << 20 };
  return (await promisify(execFile)('npm', args, options)).stdout;
}

// What npm needs to reach its registry from here. Nothing else of the environment reaches the tested installation.
const names = ['NODE_EXTRA_CA_CERTS', 'npm_config_registry', 'http_proxy', 'https_proxy', 'no_proxy'];

export const network: Readonly<Record<string, string>> = Object.fromEntries(
  names
    .flatMap((name) => [name, name.toUpperCase()])
    .flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
