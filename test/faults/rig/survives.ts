import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { type FaultLoad, type Met, startFaultLoad } from './fault-load.ts';
import type { FaultRig } from './fault-rig.ts';

const warmUpMs = 1_000;
const afterwardsMs = 1_000;

/** Breaks something, and resolves to a function that repairs it. */
export type Fault = () => Promise<(() => unknown) | undefined>;

/** In the order of the organizations. */
export interface Survived {
  /** While it was broken. */
  readonly meanwhile: readonly Met[];
  /** Before, while and after it was broken. */
  readonly met: readonly Met[];
}

/**
 * Sends requests before, while and after something is broken for `lastsMs`, and checks what must hold then.
 * The figures go into the table.
 */
export async function survives(
  rig: FaultRig,
  scenario: string,
  fault: Fault,
  { lastsMs = 0, withCached = true }: { lastsMs?: number; withCached?: boolean } = {},
): Promise<Survived> {
  const usedBefore = await rig.used();
  const load = startFaultLoad(rig.clients(), { withCached });
  let recoveryMs: number | undefined;
  let meanwhile: Met[] = [];
  try {
    await setTimeout(warmUpMs);
    const mend = await fault();
    const begun = load.met.map((met) => ({ ...met }));
    await setTimeout(lastsMs);
    meanwhile = load.met.map((met, i) => since(begun[i]!, met));
    await mend?.();
    recoveryMs = await rig.worksAgain(load);
    await setTimeout(afterwardsMs);
  } finally {
    await load.stop();
  }
  const used = await rig.used();
  const counted = used.map((sum, i) => sum - usedBefore[i]!);
  load.met.forEach(({ computed, failed }, i) => {
    const told = `organization ${i}: ${computed} computed, ${failed} failed, ${counted[i]} counted`;
    assert.ok(computed <= counted[i]! && counted[i]! <= computed + failed, told);
  });
  assert.deepEqual(load.unexpected, []);
  const sum = (of: (met: FaultLoad['met'][number]) => number) =>
    load.met.reduce((all, met) => all + of(met), 0);
  rig.figures.push({
    scenario,
    answered: sum(({ computed, cached }) => computed + cached),
    failed: sum(({ failed, cachedFailed }) => failed + cachedFailed),
    surplus: counted.reduce((all, one) => all + one, 0) - sum(({ computed }) => computed),
    longestMs: Math.max(...load.met.map(({ longestMs }) => longestMs)),
    recoveryMs,
  });
  return { meanwhile, met: load.met };
}

function since(begun: Met, met: Met): Met {
  return {
    computed: met.computed - begun.computed,
    cached: met.cached - begun.cached,
    failed: met.failed - begun.failed,
    cachedFailed: met.cachedFailed - begun.cachedFailed,
    longestMs: met.longestMs,
  };
}
