import type { Limit } from './tiers.ts';
import { type Window, type WindowKind, windowAt } from './window.ts';

/** A row of the ledger: what was used in the window that starts at `startMs`. */
export interface WindowRow {
  readonly startMs: number;
  readonly used: number;
}

/** Where an organization stands against its limit. `limit` null is unlimited. */
export interface Standing {
  readonly limit: number | null;
  readonly used: number;
  readonly window: WindowKind;
  readonly startMs: number;
  readonly resetsAtMs: number;
}

/**
 * The row as it counts now: a window that has passed starts again at zero. A clock that was set back keeps the later
 * window, so that no unit is granted twice.
 */
export function currentRow(kind: WindowKind, row: WindowRow | undefined, nowMs: number): WindowRow {
  const { startMs } = windowAt(kind, nowMs);
  return row && row.startMs >= startMs ? row : { startMs, used: 0 };
}

/** How many of `waiting` requests fit under the limit. */
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

/** The same standing seen later: after its reset, nothing is used. */
export function rollForward(standing: Standing, nowMs: number): Standing {
  if (nowMs < standing.resetsAtMs) return standing;
  return standingOf({ requests: standing.limit, window: standing.window }, undefined, nowMs);
}

export function remainingOf(standing: Standing): number | null {
  return standing.limit === null ? null : Math.max(0, standing.limit - standing.used);
}

/** Whole percents of the limit that are used; 0 where there is no limit to reach. */
export function percentUsed({ limit, used }: Standing): number {
  return limit === null || limit === 0 ? 0 : Math.floor((used * 100) / limit);
}
