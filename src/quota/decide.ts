import { type RunDecision, type SameAsks, scopesOf } from './ask.ts';
import type { CountedUnit, LimitStanding, LimitUnit } from './limit.ts';
import type { TierLimit } from './tiers.ts';
import { type LimitWindow, type Window, type WindowKind, windowAt } from './window.ts';

/** A row of the ledger: the units counted in the window that starts at `startMs`. */
export interface WindowRow {
  readonly startMs: number;
  readonly used: number;
}

/** An organization's usage in the current window of its limit. `limit` null means unlimited. */
export interface Standing {
  readonly limit: number | null;
  readonly used: number;
  readonly unit: CountedUnit;
  readonly window: WindowKind;
  readonly startMs: number;
  readonly resetsAtMs: number;
  /** The database's time at which the organization stood so. */
  readonly asOfMs: number;
}

/**
 * Returns the row that is in force at `nowMs`: once a window has passed, the next one starts at zero. If the clock was
 * set back, the later window stays in force, so that no unit is granted twice.
 */
export function currentRow(kind: LimitWindow, row: WindowRow | undefined, nowMs: number): WindowRow {
  const { startMs } = windowAt(kind, nowMs);
  return row && row.startMs >= startMs ? row : { startMs, used: 0 };
}

/**
 * Returns the name of the row that counts a limit's window. The row `month` counts requests for every organization,
 * and is the lock of its other rows.
 */
export function rowKindOf({ window, unit }: Pick<TierLimit, 'window' | 'unit'>): string {
  return unit === 'requests' ? window : `${window}/${unit}`;
}

/** The id under which a decision names the quota of the tier. */
export const quotaId = 'quota';

/** What the current window of a limit, or of the quota, has counted. */
export interface Counter {
  readonly limitId: string;
  /** See `scopeIdOf`. */
  readonly scopeId: string;
  readonly unit: LimitUnit;
  /** Null means unlimited. */
  readonly amount: number | null;
  readonly resetsAtMs: number;
  used: number;
}

/**
 * Decides runs of requests in order of arrival: each request is counted in all counters that apply to it, or in none.
 * If several limits refuse a request, the decision names the one that resets last. Changes `used` of the counters.
 */
export function decide(runs: readonly SameAsks[], counters: readonly Counter[]): RunDecision[] {
  const byScope = Map.groupBy(counters, ({ scopeId }) => scopeId);
  return runs.map(({ ask, count }) => {
    const { units } = ask;
    const applying = scopesOf(ask)
      .flatMap((scopeId) => byScope.get(scopeId) ?? [])
      .filter(({ unit }) => units[unit] > 0);
    const roomOf = ({ amount, used, unit }: Counter): number =>
      amount === null ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor((amount - used) / units[unit]));
    const granted = Math.min(count, ...applying.map(roomOf));
    for (const counter of applying) counter.used += granted * units[counter.unit];
    const exceeded = applying.filter((counter) => roomOf(counter) === 0);
    const last = exceeded.reduce<Counter | undefined>(
      (last, counter) => (last && last.resetsAtMs >= counter.resetsAtMs ? last : counter),
      undefined,
    );
    return { granted, refusedBy: last?.limitId ?? null };
  });
}

export function standingOf(limit: TierLimit, row: WindowRow | undefined, nowMs: number): Standing {
  const current = currentRow(limit.window, row, nowMs);
  const window: Window = windowAt(limit.window, current.startMs);
  return {
    limit: limit.amount,
    used: current.used,
    unit: limit.unit,
    window: limit.window,
    startMs: window.startMs,
    resetsAtMs: window.endMs,
    asOfMs: nowMs,
  };
}

/** Returns the standing of a limit by its row, which is one of `rows` if it has counted anything. */
export function standingAmong(
  rows: readonly (WindowRow & { readonly kind: string | null })[],
  limit: TierLimit,
  nowMs: number,
): Standing {
  const own = rowKindOf(limit);
  return standingOf(
    limit,
    rows.find(({ kind }) => kind === own),
    nowMs,
  );
}

/** Returns `standing` as of `nowMs`: nothing is used after its reset. */
export function rollForward(standing: Standing, nowMs: number): Standing {
  if (nowMs < standing.resetsAtMs) return standing;
  const { limit: amount, window, unit } = standing;
  return standingOf({ amount, window, unit }, undefined, nowMs);
}

/** Returns the limits as of `nowMs`: nothing is used after a reset. Returns `limits` itself if none has reset. */
export function rollLimitsForward(limits: readonly LimitStanding[], nowMs: number): readonly LimitStanding[] {
  if (limits.every(({ resetsAtMs }) => nowMs < resetsAtMs)) return limits;
  return limits.map((limit) => {
    if (nowMs < limit.resetsAtMs) return limit;
    const { startMs, endMs } = windowAt(limit.window, nowMs);
    return { ...limit, used: 0, startMs, resetsAtMs: endMs };
  });
}

/** Returns the standing of a limit by its row. */
export function limitStandingOf<Row extends Omit<LimitStanding, 'resetsAtMs'>>(
  row: Row,
  nowMs: number,
): Row & LimitStanding {
  const { startMs, used } = currentRow(row.window, row, nowMs);
  return { ...row, startMs, used, resetsAtMs: windowAt(row.window, startMs).endMs };
}

export function remainingOf(standing: Standing): number | null {
  return standing.limit === null ? null : Math.max(0, standing.limit - standing.used);
}

/** Returns the share of the limit that is used, in whole percent rounded down; 0 if the limit is 0 or unlimited. */
export function percentUsed({ limit, used }: Standing): number {
  return limit === null || limit === 0 ? 0 : Math.floor((used * 100) / limit);
}
