import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Combination } from './combinations.ts';
import { network } from './network.ts';

const source = fileURLToPath(new URL('../..', import.meta.url));
const nobody = 65_534;

/**
 * A clone of this checkout, with the environment that a combination needs. Disposing of it ends what was
 * started there, and removes both.
 */
export class Checkout implements Disposable {
  readonly path: string;
  readonly #directory: string;
  readonly #started: ChildProcess[] = [];
  readonly #environment: Record<string, string>;
  readonly #user: { readonly uid: number; readonly gid: number } | undefined;

  /** `npmCache` is shared by the combinations, except by those of another user. */
  constructor(directory: string, combination: Combination, toolsPath: string, npmCache: string) {
    const { otherUser, oddPath, readOnlyHome } = combination;
    this.#directory = directory;
    this.path = join(directory, oddPath ? 'Ein Ordner für Übungen' : 'embedgate');
    this.#user = otherUser ? { uid: nobody, gid: nobody } : undefined;
    const home = join(directory, 'home');
    const cache = otherUser ? join(directory, 'npm-cache') : npmCache;
    for (const path of [home, cache]) mkdirSync(path, { recursive: true });
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', source, this.path]);
    if (otherUser) {
      chmodSync(directory, 0o755);
      execFileSync('chown', ['-R', `${nobody}:${nobody}`, this.path, home, cache]);
    }
    if (readOnlyHome) {
      chownSync(home, 0, 0);
      chmodSync(home, 0o555);
    }
    this.#environment = {
      ...network,
      PATH: `${toolsPath}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      // npm itself needs a place to write to.
      npm_config_cache: cache,
      npm_config_update_notifier: 'false',
      PORT: '0',
      EMBEDDING_WORKERS: '1',
    };
  }

  start(command: string, ...args: readonly string[]): ChildProcess {
    const child = spawn(command, args, {
      cwd: this.path,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, as a terminal gives each command.
      detached: true,
      ...this.#user,
    });
    this.#started.push(child);
    return child;
  }

  /** Runs a command to its end, and returns what it printed. Throws with its output when it failed or took too long. */
  async run(deadlineMs: number, command: string, ...args: readonly string[]): Promise<string> {
    const child = this.start(command, ...args);
    const timer = setTimeout(() => endGroup(child, 'SIGKILL'), deadlineMs);
    const [out, error, [status, signal]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close'),
    ]);
    clearTimeout(timer);
    if (status === 0) return out;
    throw new Error(`${command} ${args.join(' ')} ended with ${status ?? signal}\n${out}\n${error}`);
  }

  [Symbol.dispose](): void {
    for (const child of this.#started) endGroup(child, 'SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Sends a signal to a command and all processes that it has started. */
export function endGroup({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== 'ESRCH') throw reason;
  }
}
