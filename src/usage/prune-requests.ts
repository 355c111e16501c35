import { inSteps } from '../lib/in-steps.ts';
import { hourlyUsageDays } from './request-log.ts';
import type { RequestLogReader } from './request-reports.ts';
import type { requestLogIn } from './stored-request-log.ts';

type RequestLog = ReturnType<typeof requestLogIn>;

const dayMs = 86_400_000;

interface Kept {
  readonly nowMs: number;
  readonly maxAgeMs: number;
  /** Entries of all organizations together. */
  readonly maxRows: number;
}

/** Deletes the entries of the request log that are too old or too many, and the old usage by hour. */
export function pruneRequests(
  store: RequestLog,
  { nowMs, maxAgeMs, maxRows }: Kept,
  signal: AbortSignal,
): Promise<void> {
  const beforeHour = Math.floor((nowMs - hourlyUsageDays * dayMs) / 3_600_000);
  const old = { beforeMs: nowMs - maxAgeMs, afterMs: nowMs + dayMs, beforeHour, maxRows };
  return inSteps(() => store.pruneOld(old), signal);
}

/** Deletes the oldest entries of an organization that has more than `maxRows`. */
export async function pruneExcess(
  store: RequestLog & RequestLogReader,
  orgId: string,
  maxRows: number,
  signal: AbortSignal,
): Promise<void> {
  const at = await store.excessAt(orgId, maxRows);
  if (at !== undefined) await inSteps(() => store.pruneSome(orgId, at + 1), signal);
}
