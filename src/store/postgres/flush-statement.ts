import type { Clock } from '../../lib/clock.ts';
import { quotaId, rowKindOf, standingOf } from '../../quota/decide.ts';
import type { LedgerEntry, LedgerOutcome } from '../../quota/ledger-store.ts';
import { type LimitStanding, limitUnits } from '../../quota/limit.ts';
import type { Tiers } from '../../quota/tiers.ts';
import type { WindowKind } from '../../quota/window.ts';
import { flushArguments, tierLiterals } from './flush-arguments.ts';
import { functionName } from './functions.ts';
import type { Pool, Statement } from './pool.ts';

type DecidedRow = {
  /** The organization's place in the flush, from 1. */
  org_at: number;
  day: number;
  month_start: number;
  limit_amount: number | null;
  /** The place in `limitUnits`, from 1. */
  limit_unit: number;
  window_kind: WindowKind;
  window_start: number;
  window_used: number;
  now_ms: number;
  /** For each run, how many are granted. Null: all are. */
  granted: number[] | null;
  /** For each run, the limit that refuses the others. Null: the quota does. */
  refused_by: (string | null)[] | null;
  current_limits: LimitStanding[] | null;
};

const argumentCount = 25;

/** The statement that decides entries: one transaction and one round trip. */
export class FlushStatement {
  readonly #pool: Pool;
  readonly #windowClock: Clock | undefined;
  readonly #statement: Statement;

  constructor(pool: Pool, tiers: Tiers, windowClock?: Clock) {
    this.#pool = pool;
    this.#windowClock = windowClock;
    const places = Array.from({ length: argumentCount }, (_, i) => `$${i + 1}`);
    this.#statement = {
      name: 'flush_quota',
      text: `SELECT * FROM ${functionName('flush_quota')}(${tierLiterals(tiers)}, ${places})`,
    };
  }

  /** The outcome of an unknown organization, or of one whose tier is not configured, is undefined. */
  async decide(entries: readonly LedgerEntry[]): Promise<(LedgerOutcome | undefined)[]> {
    const values = flushArguments(entries, this.#windowClock?.now());
    const rows = await this.#pool.query<DecidedRow>(this.#statement, values);
    const byPlace = new Map(rows.map((row) => [row.org_at, row]));
    return entries.map((entry, i) => {
      const row = byPlace.get(i + 1);
      return row && outcomeOf(entry, row);
    });
  }
}

function outcomeOf({ runs }: LedgerEntry, row: DecidedRow): LedgerOutcome {
  const unit = limitUnits[row.limit_unit - 1]!;
  const limit = { amount: row.limit_amount, window: row.window_kind, unit };
  const kind = rowKindOf(limit);
  const window = { startMs: row.window_start, used: row.window_used };
  const { granted, refused_by: refusedBy } = row;
  return {
    decided: runs.map(({ count }, i) => ({
      granted: granted?.[i] ?? count,
      refusedBy: refusedBy?.[i] ?? quotaId,
    })),
    receipt: {
      day: row.day,
      monthStartMs: row.month_start,
      window: kind === 'month' ? null : { kind, unit, startMs: window.startMs },
    },
    standing: standingOf(limit, window, row.now_ms),
    limits: row.current_limits,
  };
}
