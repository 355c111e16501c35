import { inSteps } from '../lib/in-steps.ts';
import { dayOf, monthDays } from '../quota/window.ts';

/** `late`: a record for the month arrived in the meantime, or the organization was deleted. */
export type RollUpStep = 'more' | 'done' | 'late';

/** Stores the sums of past months. Reports return the same figures with them, but read less. */
export interface UsageRollup {
  /**
   * Checks the `limit` organizations after `afterOrgId`. Returns, for each, a day of the first month that ended before
   * `endDay` and has records but no sums yet. `lastOrgId` null: there are no further organizations.
   */
  unrolled(endDay: number, afterOrgId: string, limit: number): Promise<Unrolled>;
  /** Starts to sum up a month from its beginning, and returns the number of this round. Null: no such organization. */
  beginRollUp(orgId: string, firstDay: number, endDay: number): Promise<number | null>;
  /** Does the next part of a round, which takes milliseconds. A record that arrives for the month ends the round. */
  stepRollUp(orgId: string, firstDay: number, round: number): Promise<RollUpStep>;
}

export interface Unrolled {
  readonly months: readonly { readonly orgId: string; readonly day: number }[];
  readonly lastOrgId: string | null;
}

interface Options {
  /** Ends early at the signal. */
  readonly signal?: AbortSignal;
  /** Called with the error of one organization; the others continue. */
  onError(reason: unknown): void;
}

const dayMs = 86_400_000;
/** All records of a month are written by then. If one arrives later, the month is summed up again. */
const settledAfterDays = 2;
const organizationsPerRead = 1_000;

/** Sums up past months in small steps, so that other work never waits long. `nowMs` is the database's time. */
export async function rollUpMonths(store: UsageRollup, nowMs: number, options: Options): Promise<void> {
  const { firstDay } = monthDays(nowMs - settledAfterDays * dayMs);
  const endDay = Math.min(firstDay, dayOf(nowMs));
  /** Organizations that failed or changed in the meantime. They wait for the next run. */
  const waiting = new Set<string>();
  // Each round sums up one month of each organization.
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

/** Returns whether the month of that day now has its sums. */
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
