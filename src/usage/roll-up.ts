import { dayOf, monthDays } from '../quota/window.ts';
import type { UsageRollup } from './reports.ts';

const dayMs = 86_400_000;
/** By then whatever belongs to a month has been written: a request takes minutes at most. */
const settledAfterDays = 2;
const maxPerRound = 100;

/** Sums up the months that are over, each by itself, so that nothing else waits long. Ends early at the signal. */
export async function rollUpMonths(store: UsageRollup, nowMs: number, signal?: AbortSignal): Promise<void> {
  const { firstDay: endDay } = monthDays(nowMs - settledAfterDays * dayMs);
  for (;;) {
    const found = await store.unrolled(Math.min(endDay, dayOf(nowMs)), maxPerRound);
    for (const { orgId, day } of found) {
      if (signal?.aborted) return;
      const month = monthDays(day * dayMs);
      await store.rollUp(orgId, month.firstDay, month.endDay);
    }
    if (found.length === 0) return;
  }
}
