import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a process ended: its code, or the signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningCommand {
  readonly pid: number;
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Calls back on each output, with all of stdout so far. */
  onOutput(listener: (stdout: string) => void): void;
  kill(signal: NodeJS.Signals): void;
  closeStdout(): void;
  readonly exited: Promise<Exit>;
}

export interface Finished extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

const command = fileURLToPath(new URL('../../bin/embedgate.js', import.meta.url));
// The settings of the person who runs the tests must not reach the programs under test.
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'NODE_V8_COVERAGE'];
/** Only for a command that never ends: on a busy machine, one that takes seconds can take minutes. */
const deadlineMs = 200_000;

/**
 * Starts the real command `embedgate` with this environment and without the tests' own settings. `program` is
 * the one of another release. `uid` is the user who runs it, if root runs the tests.
 */
export function spawnEmbedgate(
  args: readonly string[],
  environment: Environment = {},
  program: string = command,
  input = '',
  uid?: number,
): RunningCommand {
  const base = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...base, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid }),
  });
  child.stdin.on('error', () => {}).end(input);
  const listeners: ((stdout: string) => void)[] = [];
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    for (const listener of listeners) listener(stdout);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    onOutput: (listener) => listeners.push(listener),
    kill: (signal) => child.kill(signal),
    closeStdout: () => child.stdout.destroy(),
    exited: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code, signal }));
    }),
  };
}

/** Runs the command to its end. A command that does not end is killed. */
export async function embedgate(
  args: readonly string[],
  environment: Environment = {},
  program: string = command,
  input = '',
  uid?: number,
): Promise<Finished> {
  const running = spawnEmbedgate(args, environment, program, input, uid);
  const timer = setTimeout(() => running.kill('SIGKILL'), deadlineMs);
  const exit = await running.exited;
  clearTimeout(timer);
  return { ...exit, stdout: running.stdout(), stderr: running.stderr() };
}

interface Printed {
  stdout: string;
  stderr: string;
}

const printing = new AsyncLocalStorage<Printed>();
for (const name of ['stdout', 'stderr'] as const) {
  const write = process[name].write.bind(process[name]);
  process[name].write = (chunk: string | Uint8Array, ...rest: never[]): boolean => {
    const printed = printing.getStore();
    if (!printed) return write(chunk, ...rest);
    printed[name] += chunk;
    return true;
  };
}

/**
 * Runs the command to its end in this process, in a third of the time that a process of its own takes. Signals, the
 * standard input and a closed pipe need `embedgate`.
 */
export async function runCommand(args: readonly string[], environment: Environment = {}): Promise<Finished> {
  const { run } = await import('../../src/cli/run.ts');
  const printed = { stdout: '', stderr: '' };
  const code = await printing.run(printed, () => run(args, environment));
  return { code, signal: null, ...printed };
}

/** Runs the command with `--json` and returns its output. Throws when it failed. */
export async function embedgateJson<R>(
  args: readonly string[],
  environment: Environment = {},
  program?: string,
): Promise<R> {
  const all = [...args, '--json'];
  const finished = program ? embedgate(all, environment, program) : runCommand(all, environment);
  const { code, stdout, stderr } = await finished;
  if (code !== 0) throw new Error(`embedgate ${args.join(' ')} exited with ${code}: ${stderr}`);
  return JSON.parse(stdout) as R;
}

/** Sends one request with `embedgate api` and returns the response's body. Throws when it was refused. */
export async function apiJson<R>(request: readonly string[], environment: Environment): Promise<R> {
  const { code, stdout, stderr } = await runCommand(['api', ...request], environment);
  if (code !== 0) throw new Error(`embedgate api ${request.join(' ')} exited with ${code}: ${stderr}`);
  return JSON.parse(stdout) as R;
}
