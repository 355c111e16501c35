import { inSteps } from '../lib/in-steps.ts';
import { dayOf, monthDays } from '../quota/window.ts';

/** `late`: a record has come for the month meanwhile, or the organization was deleted. */
export type RollUpStep = 'more' | 'done' | 'late';

/** Keeps the sums of months that are over: reports say the same with them, and read less. */
export interface UsageRollup {
  /**
   * Looks at the `limit` organizations after `afterOrgId`. Returns a day of the first month of each that ended before `endDay` and has records, but
   * no sums yet. `lastOrgId` null: there are no further organizations.
   */
  unrolled(endDay: number, afterOrgId: string, limit: number): Promise<Unrolled>;
  /** Begins to sum up a month from its start, and returns the number of this round; null: there is no such organization. */
  beginRollUp(orgId: string, firstDay: number, endDay: number): Promise<number | null>;
  /** Does the next part of what a round has to do, within milliseconds. A record that comes for the month ends the round. */
  stepRollUp(orgId: string, firstDay: number, round: number): Promise<RollUpStep>;
}

export interface Unrolled {
  readonly months: readonly { readonly orgId: string; readonly day: number }[];
  readonly lastOrgId: string | null;
}

interface Options {
  /** Ends early at the signal. */
  readonly signal?: AbortSignal;
  /** Called with what went wrong for one organization; the others go on. */
  onError(reason: unknown): void;
}

const dayMs = 86_400_000;
/** By then whatever belongs to a month has been written. What comes later all the same has the month summed up again. */
const settledAfterDays = 2;
const organizationsPerRead = 1_000;

/** Sums up the months that are over, in small steps, so that nothing else waits long. `nowMs`: by the database's clock. */
export async function rollUpMonths(store: UsageRollup, nowMs: number, options: Options): Promise<void> {
  const { firstDay } = monthDays(nowMs - settledAfterDays * dayMs);
  const endDay = Math.min(firstDay, dayOf(nowMs));
  /** Organizations that have to wait for the next time. */
  const waiting = new Set<string>();
  // Each round does one month of each organization.
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (let after: string | null = ''; after !== null; ) {
      const { months, lastOrgId }: Unrolled = await store.unrolled(endDay, after, organizationsPerRead);
      for (const { orgId, day } of months) {
        if (options.signal?.aborted) return;
        if (waiting.has(orgId)) continue;
        if (await rollUp(store, orgId, day, options)) isDone = false;
        else waiting.add(orgId);
      }
      after = lastOrgId;
    }
  }
}

/** Returns whether the month of that day has its sums now. */
async function rollUp(store: UsageRollup, orgId: string, day: number, options: Options): Promise<boolean> {
  const { firstDay, endDay } = monthDays(day * dayMs);
  try {
    const round = await store.beginRollUp(orgId, firstDay, endDay);
    if (round === null) return false;
    let step: RollUpStep = 'more';
    await inSteps(async () => {
      step = await store.stepRollUp(orgId, firstDay, round);
      return step === 'more';
    }, options.signal);
    return (step as RollUpStep) === 'done';
  } catch (reason) {
    options.onError(reason);
    return false;
  }
}
