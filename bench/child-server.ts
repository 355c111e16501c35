import { spawn } from 'node:child_process';
import { once } from 'node:events';

const startDeadlineMs = 60_000;

/** A server in a process of its own, from a script that prints its port when it listens. */
export async function childServer(
  script: string,
  ...args: readonly string[]
): Promise<AsyncDisposable & { readonly address: string; readonly pid: number }> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(startDeadlineMs) });
  return {
    address: `http://127.0.0.1:${Number(port)}`,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
