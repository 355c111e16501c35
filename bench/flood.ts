import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Flood {
  readonly address: string;
  readonly key: string;
  /** Number of concurrent requests. */
  readonly connections: number;
  /**
   * Number of different requests. Must be more than the service answers meanwhile, or the others come from its cache.
   */
  readonly requests: number;
  readonly texts: number;
  /** Words of each text. */
  readonly words: number;
  /** Floods with different seeds send different texts. */
  readonly seed: number;
  /** Responses before this time are not counted. */
  readonly fromMs: number;
  readonly durationMs: number;
}

export interface FloodResult {
  readonly answers: number;
  readonly refusals: number;
}

/**
 * Prepares to send many requests at a time from a process of its own. Returns a function that begins, and resolves to
 * the result.
 */
export async function prepareFlood(flood: Flood): Promise<() => Promise<FloodResult>> {
  const { address, key, connections, requests, texts, words, seed, fromMs, durationMs } = flood;
  const settings = [address, key, connections, requests, texts, words, seed, fromMs, durationMs];
  const child = fork(new URL('flood-process.ts', import.meta.url), settings.map(String));
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The flood ended early with ${code}`);
  });
  failed.catch(() => {});
  await Promise.race([once(child, 'message'), failed]);
  return async () => {
    child.send('begin');
    const [counted] = await Promise.race([once(child, 'message'), failed]);
    return counted;
  };
}
