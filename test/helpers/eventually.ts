import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

/** Only for what never happens: on a busy machine, everything can take twenty times as long as usual. */
const patienceMs = 60_000;

/**
 * Repeats a check until it returns true, and returns how many milliseconds that took. Throws after
 * `withinMs`.
 */
export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  { withinMs = patienceMs, everyMs = 5 }: { withinMs?: number; everyMs?: number } = {},
): Promise<number> {
  const startMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startMs > withinMs) throw new Error(`not within ${withinMs} ms`);
    await setTimeout(everyMs);
  }
  return performance.now() - startMs;
}

/** Checks again and again until no assertion fails. Throws the last failure after `withinMs`. */
export async function eventuallyHolds(check: () => Promise<void>, withinMs = patienceMs): Promise<void> {
  let failure: unknown;
  const holds = (): Promise<boolean> =>
    check().then(
      () => true,
      (reason) => {
        failure = reason;
        return false;
      },
    );
  await eventually(holds, { withinMs, everyMs: 20 }).catch(() => {
    throw failure;
  });
}
