import type { Clock } from '../../lib/clock.ts';
import type { Run, RunDecision } from '../../quota/ask.ts';
import { quotaId, standingOf } from '../../quota/decide.ts';
import type { LedgerEntry, LedgerOutcome } from '../../quota/ledger-store.ts';
import type { LimitStanding } from '../../quota/limit.ts';
import type { Tiers } from '../../quota/tiers.ts';
import type { WindowKind } from '../../quota/window.ts';
import { flushArguments, flushOfOneArguments, limitedArguments, tierLiterals } from './flush-arguments.ts';
import type { Pool, Statement } from './pool.ts';

type DecidedRow = {
  /** The organization's place in the flush, from 1. Null: no such organization, or its tier is not configured. */
  org_at: number | null;
  /** -1: the organization or its keys have limits, and nothing of its entry was applied. */
  granted: number;
  day: number;
  month_start: number;
  limit_requests: number | null;
  window_kind: WindowKind;
  window_start: number;
  window_used: number;
  now_ms: number;
};

type LimitedRow = Omit<DecidedRow, 'granted' | 'day'> & {
  /** Null: no such organization, or its tier is not configured. */
  day: number | null;
  /** For each run of asks, how many are granted, and what refuses the others. */
  granted: number[] | null;
  refused_by: (string | null)[] | null;
  current_limits: LimitStanding[] | null;
};

/**
 * The statements that decide entries. Each is one transaction. The outcome of an unknown organization, or of one whose
 * tier is not configured, is undefined.
 */
export class FlushStatements {
  readonly #pool: Pool;
  readonly #windowClock: Clock | undefined;
  readonly #ofOthers: Statement;
  readonly #ofOneOther: Statement;
  readonly #ofLimited: Statement;

  constructor(pool: Pool, tiers: Tiers, windowClock?: Clock) {
    this.#pool = pool;
    this.#windowClock = windowClock;
    const literals = tierLiterals(tiers);
    this.#ofOthers = {
      name: 'flush_quota',
      text: `SELECT * FROM flush_quota(${literals}, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    };
    this.#ofOneOther = {
      name: 'flush_quota_of_one',
      text: `SELECT * FROM flush_quota_of_one(${literals}, $1, $2, $3, $4, $5, $6, $7)`,
    };
    this.#ofLimited = {
      name: 'flush_quota_limited',
      // The entries are in order of their organizations, so that flushes lock them in the same order.
      text: `SELECT decided.*, entries.at AS org_at
        FROM jsonb_array_elements($1) WITH ORDINALITY AS entries (entry, at)
        CROSS JOIN LATERAL flush_quota_limited(${literals}, entries.entry, $2) AS decided`,
    };
  }

  /**
   * Decides organizations without limits. The outcome of one that has limits is 'limited', and nothing of its entry is
   * applied.
   */
  async decideOthers(entries: readonly LedgerEntry[]): Promise<(LedgerOutcome | 'limited' | undefined)[]> {
    const nowMs = this.#windowClock?.now();
    const [only, ...others] = entries;
    const [statement, values] =
      only && others.length === 0 && only.returns.length === 0
        ? [this.#ofOneOther, flushOfOneArguments(only, nowMs)]
        : [this.#ofOthers, flushArguments(entries, nowMs)];
    const rows = await this.#pool.query<DecidedRow>(statement, values);
    const byPlace = new Map(rows.map((row) => [row.org_at, row]));
    return entries.map(({ runs }, i) => {
      const row = byPlace.get(i + 1);
      if (row?.granted === -1) return 'limited';
      return row && toOutcome(row, grantInOrder(runs, row.granted));
    });
  }

  /** Decides organizations of which some have limits. The others' outcomes have null instead of limits. */
  async decideLimited(entries: readonly LedgerEntry[]): Promise<(LedgerOutcome | undefined)[]> {
    const rows = await this.#pool.query<LimitedRow>(this.#ofLimited, [
      limitedArguments(entries),
      this.#windowClock?.now(),
    ]);
    const byPlace = new Map(rows.map((row) => [row.org_at, row]));
    return entries.map((_, i) => {
      const row = byPlace.get(i + 1);
      if (!row || row.day === null) return undefined;
      const { day, granted, refused_by: refusedBy, current_limits: limits } = row;
      const decided = (granted ?? []).map((granted, run) => ({ granted, refusedBy: refusedBy![run]! }));
      return toOutcome({ ...row, day }, decided, limits);
    });
  }
}

/** Splits a grant of `granted` requests over the runs, in order. */
function grantInOrder(runs: readonly Run[], granted: number): RunDecision[] {
  let left = granted;
  return runs.map(({ count }) => {
    const ofRun = Math.min(count, left);
    left -= ofRun;
    return { granted: ofRun, refusedBy: quotaId };
  });
}

function toOutcome(
  row: Omit<DecidedRow, 'granted'>,
  decided: readonly RunDecision[],
  limits: LimitStanding[] | null = null,
): LedgerOutcome {
  const limit = { requests: row.limit_requests, window: row.window_kind };
  const window = { startMs: row.window_start, used: row.window_used };
  return {
    decided,
    receipt: {
      day: row.day,
      monthStartMs: row.month_start,
      window: limit.window === 'month' ? null : { kind: limit.window, startMs: window.startMs },
    },
    standing: standingOf(limit, window, row.now_ms),
    limits,
  };
}
