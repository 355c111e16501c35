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
 * Repeats `step` as `inSteps` does, for one organization after the other. Removes from `orgIds` those that are done. What
 * is left when the signal aborts is for the next call, as are the organizations for which `step` throws. Throws the last
 * error when the others are done.
 */
export async function inStepsOfEach<Id>(
  orgIds: Set<Id>,
  step: (orgId: Id) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  let failure: { readonly reason: unknown } | undefined;
  for (const orgId of [...orgIds]) {
    try {
      await inSteps(() => step(orgId), signal);
      if (signal?.aborted) return;
      orgIds.delete(orgId);
    } catch (reason) {
      failure = { reason };
    }
  }
  if (failure) throw failure.reason;
}
