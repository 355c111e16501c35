import type { Limit } from './tiers.ts';
import { type Window, type WindowKind, windowAt } from './window.ts';

/** A row of the ledger: the requests counted in the window that starts at `startMs`. */
export interface WindowRow {
  readonly startMs: number;
  readonly used: number;
}

/** An organization's usage in the current window of its limit. `limit` null means unlimited. */
export interface Standing {
  readonly limit: number | null;
  readonly used: number;
  readonly window: WindowKind;
  readonly startMs: number;
  readonly resetsAtMs: number;
}

/**
 * Returns the row that is in force at `nowMs`: once a window has passed, the next one starts at zero. If the clock was
 * set back, the later window stays in force, so that no unit is granted twice.
 */
export function currentRow(kind: WindowKind, row: WindowRow | undefined, nowMs: number): WindowRow {
  const { startMs } = windowAt(kind, nowMs);
  return row && row.startMs >= startMs ? row : { startMs, used: 0 };
}

/** Returns how many of `waiting` requests fit under the limit. */
export function grantable(limit: Limit, used: number, waiting: number): number {
  return limit.requests === null ? waiting : Math.min(waiting, Math.max(0, limit.requests - used));
}

export function standingOf(limit: Limit, row: WindowRow | undefined, nowMs: number): Standing {
  const current = currentRow(limit.window, row, nowMs);
  const window: Window = windowAt(limit.window, current.startMs);
  return {
    limit: limit.requests,
    used: current.used,
    window: limit.window,
    startMs: window.startMs,
    resetsAtMs: window.endMs,
  };
}

/** Returns `standing` as of `nowMs`: nothing is used after its reset. */
export function rollForward(standing: Standing, nowMs: number): Standing {
  if (nowMs < standing.resetsAtMs) return standing;
  return standingOf({ requests: standing.limit, window: standing.window }, undefined, nowMs);
}

export function remainingOf(standing: Standing): number | null {
  return standing.limit === null ? null : Math.max(0, standing.limit - standing.used);
}

/** Returns the share of the limit that is used, in whole percent rounded down; 0 if the limit is 0 or unlimited. */
export function percentUsed({ limit, used }: Standing): number {
  return limit === null || limit === 0 ? 0 : Math.floor((used * 100) / limit);
}
