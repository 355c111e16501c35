import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf } from '../../src/errors.ts';

/**
 * Below the ports that systems give to connections and to servers that name none. Otherwise another process could be
 * given the same port before the test listens on it.
 */
const range = [10_000, 32_000] as const;

/** Returns a port of 127.0.0.1 on which nothing listens. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

/** Returns `count` different ports of 127.0.0.1 on which nothing listens. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(...range);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (reason) {
    if (['EADDRINUSE', 'EACCES'].includes(String(codeOf(reason)))) return false;
    throw reason;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
