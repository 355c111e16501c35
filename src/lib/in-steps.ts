import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

/**
 * Repeats `step` while it returns true, until the signal. Rests after each step for as long as the step took, so that whatever else wants
 * the same disk and database has them for half of the time.
 */
export async function inSteps(step: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const beganMs = performance.now();
    if (!(await step())) return;
    await setTimeout(performance.now() - beganMs, undefined, { signal }).catch(() => undefined);
  }
}
