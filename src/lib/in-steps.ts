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

/** Repeats `step` as `inSteps` does, until it returns null. Each step gets what the last one returned, and the first one the empty text. */
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
