/** A server in a process of its own, which listens on a port that it is given. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../test/helpers/free-port.ts';
import { httpLoad, postBytes } from '../http-load.ts';

export interface Server extends AsyncDisposable {
  readonly address: string;
  /** The path of embeddings. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  /** The first of its processes. */
  readonly pid: number;
  /** From the start of the process to its first embedding. */
  readonly startMs: number;
}

export interface Command {
  readonly program: string;
  readonly args: (port: number) => readonly string[];
  readonly environment?: (port: number) => Readonly<Record<string, string>>;
  /** Its working directory. Default: this process's. */
  readonly directory?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly model: string;
}

const startDeadlineMs = 120_000;
const stopDeadlineMs = 10_000;
const requestDeadlineMs = 10_000;
const pollMs = 20;

/** Starts the process, and resolves after its first embedding. Throws with what it wrote if it ends or takes too long. */
export async function spawned(command: Command): Promise<Server> {
  const port = await freePort();
  const began = performance.now();
  // Embedgate's inference threads lower their own priority, so all servers get it: beside other programs, the benchmark
  // would otherwise compare priorities.
  const child = spawn('nice', ['-n', '19', command.program, ...command.args(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(command.directory !== undefined && { cwd: command.directory }),
    env: { ...process.env, ...command.environment?.(port) },
  });
  let wrote = '';
  child.stderr.on('data', (chunk: Buffer) => {
    wrote = (wrote + chunk).slice(-4_000);
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let startError: Error | undefined;
  child.on('error', (error) => {
    startError = error;
  });
  const { path, headers = {}, model } = command;
  const server = { address: `http://127.0.0.1:${port}`, path, headers, model };
  try {
    while (!(await isServing(server))) {
      if (startError) throw startError;
      if (hasEnded(child)) {
        // What it wrote last may still be in the pipe, which a child of its own can keep open.
        await Promise.race([closed, setTimeout(stopDeadlineMs, undefined, { ref: false })]);
        throw new Error(`${command.program} ended: ${wrote}`);
      }
      if (performance.now() - began > startDeadlineMs)
        throw new Error(`${command.program} does not serve: ${wrote}`);
      await setTimeout(pollMs);
    }
  } catch (error) {
    await stop(child);
    throw error;
  }
  return {
    ...server,
    pid: child.pid as number,
    startMs: performance.now() - began,
    [Symbol.asyncDispose]: () => stop(child),
  };
}

/** The bytes of a request with one text. */
export function requestOf(
  { path, model, headers }: Pick<Server, 'path' | 'model' | 'headers'>,
  text: string,
): Buffer {
  return postBytes(path, { model, input: text, encoding_format: 'float' }, { ...headers });
}

async function isServing(server: Pick<Server, 'address' | 'path' | 'model' | 'headers'>): Promise<boolean> {
  const next = (): Buffer => requestOf(server, 'start');
  const signal = AbortSignal.timeout(requestDeadlineMs);
  return await httpLoad({ address: server.address, connections: 1, next, maxAnswers: 1, signal }).then(
    () => true,
    () => false,
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill();
  const hasExited = await Promise.race([exited.then(() => true), setTimeout(stopDeadlineMs, false)]);
  if (!hasExited) child.kill('SIGKILL');
  await exited;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
