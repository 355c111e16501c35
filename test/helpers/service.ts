import { temporaryDirectory } from './directory.ts';
import { type Environment, type Exit, spawnEmbedgate } from './embedgate.ts';

export interface ServiceOptions {
  /**
   * An existing data directory, which stays after the service is disposed of; otherwise a new one, which is
   * removed with it.
   */
  readonly dataDir?: string;
  /** Override the defaults: a free port, one worker, warnings only. */
  readonly environment?: Environment;
  /** The program of another release. */
  readonly program?: string;
}

/** A running `embedgate serve`; `await using` stops it and removes what it left. */
export interface RunningService extends AsyncDisposable {
  readonly address: string;
  /** The key, the organization and the administrator of a first start. Throws if this was a later start. */
  readonly key: string;
  readonly orgId: string;
  readonly administrator: { readonly email: string; readonly password: string };
  readonly dataDir: string;
  /** What a command needs to work on the same data. */
  readonly environment: Environment;
  readonly pid: number;
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Sends a signal, and resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** Requests a graceful shutdown. */
  stop(): Promise<Exit>;
  readonly exited: Promise<Exit>;
}

const defaults = { PORT: '0', EMBEDDING_WORKERS: '1', LOG_LEVEL: 'warn' };
// Only for a service that hangs. It ends itself 30 seconds after the signal.
const startDeadlineMs = 200_000;
const stopDeadlineMs = 60_000;

/**
 * Starts the real service in a process of its own and resolves when it listens. Throws with its output when
 * it does not.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  using opened = new DisposableStack();
  const dataDir = options.dataDir ?? opened.use(temporaryDirectory()).path;
  const environment = { ...defaults, DATA_DIR: dataDir, ...options.environment };
  const child = spawnEmbedgate(['serve'], environment, options.program);
  opened.defer(() => child.kill('SIGKILL'));

  const kill = (signal: NodeJS.Signals): Promise<Exit> => {
    child.kill(signal);
    return child.exited;
  };
  const stop = async (): Promise<Exit> => {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
    const exit = await kill('SIGTERM');
    clearTimeout(timer);
    return exit;
  };
  const address = await addressOf(child);
  const kept = opened.move();

  const printed = (pattern: RegExp): string => {
    const [, found] = pattern.exec(child.stdout()) ?? [];
    if (found === undefined) throw new Error(`Not a first start: ${child.stdout()}`);
    return found;
  };
  return {
    address,
    dataDir,
    environment,
    kill,
    stop,
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    exited: child.exited,
    get key() {
      return printed(/API key +(\w+_\w+)/);
    },
    get orgId() {
      return printed(/Organization .*, (\S+)/);
    },
    get administrator() {
      return { email: printed(/Sign in +(\S+), password/), password: printed(/Sign in .*, password (\S+)/) };
    },
    async [Symbol.asyncDispose]() {
      await stop();
      kept.dispose();
    },
  };
}

/**
 * Resolves to the address that the service prints. Rejects when it ends, or is killed because it does not
 * listen in time.
 */
async function addressOf(child: ReturnType<typeof spawnEmbedgate>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => child.kill('SIGKILL'), startDeadlineMs);
  child.onOutput((stdout) => {
    const [, address] = /listens on (http\S+)\n/.exec(stdout) ?? [];
    if (address) resolve(address);
  });
  child.exited.then(
    ({ code, signal }) => reject(new Error(`The service ended (${signal ?? code}): ${child.stderr()}`)),
    reject,
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
