import { inSteps, throughAll } from '../lib/in-steps.ts';
import type { RequestLogReader, RequestLogStore } from './request-log.ts';

/** How many days the usage by hour is kept. */
export const hourlyUsageDays = 35;
const dayMs = 86_400_000;

/** Deletes the entries of the request log that are too old or too many, and the old usage by hour. */
export async function pruneRequests(
  store: RequestLogStore & RequestLogReader,
  kept: { readonly nowMs: number; readonly maxAgeMs: number; readonly maxRows: number },
  signal: AbortSignal,
): Promise<void> {
  const beforeMs = kept.nowMs - kept.maxAgeMs;
  const beforeHour = Math.floor((kept.nowMs - hourlyUsageDays * dayMs) / 3_600_000);
  await throughAll((after) => store.pruneOld({ beforeMs, beforeHour }, after), signal);
  if (signal.aborted) return;
  for (const orgId of await store.crowded(kept.maxRows)) {
    const at = await store.excessAt(orgId, kept.maxRows);
    if (at !== undefined) await inSteps(() => store.pruneSome(orgId, at + 1), signal);
  }
}
