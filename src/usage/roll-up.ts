import { dayOf, monthDays } from '../quota/window.ts';
import type { UsageRollup } from './reports.ts';

const dayMs = 86_400_000;
/** By then whatever belongs to a month has been written: a request takes minutes at most. */
const settledAfterDays = 2;
const maxPerRound = 100;

/** Sums up the months that are over. Organization by organization, so that nothing else waits long. */
export async function rollUpMonths(store: UsageRollup, nowMs: number): Promise<void> {
  const { firstDay: endDay } = monthDays(nowMs - settledAfterDays * dayMs);
  for (;;) {
    const found = await store.unrolled(Math.min(endDay, dayOf(nowMs)), maxPerRound);
    for (const { orgId, day } of found) {
      const month = monthDays(day * dayMs);
      await store.rollUp(orgId, month.firstDay, month.endDay);
    }
    if (found.length === 0) return;
  }
}
