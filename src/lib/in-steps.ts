import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

/**
 * Repeats `step` while it returns true, until the signal aborts. Pauses after each step for as long as the step took,
 * so that other work has the disk and the database for half of the time.
 */
export async function inSteps(step: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const beganMs = performance.now();
    if (!(await step())) return;
    await setTimeout(performance.now() - beganMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Repeats `step` as `inSteps` does, until it returns null. Each step receives the result of the previous one, the first
 * an empty string.
 */
export function throughAll(
  step: (after: string) => Promise<string | null>,
  signal?: AbortSignal,
): Promise<void> {
  let after: string | null = '';
  return inSteps(async () => {
    after = await step(after ?? '');
    return after !== null;
  }, signal);
}
