import { performance } from 'node:perf_hooks';
import { codeOf } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { Lru } from '../../lib/lru.ts';
import type { Run, RunDecision } from '../../quota/ask.ts';
import { quotaId, standingOf } from '../../quota/decide.ts';
import type { StoredStandings } from '../../quota/known-standings.ts';
import type { FlushOutcome, LedgerEntry, LedgerOutcome, LedgerStore } from '../../quota/ledger-store.ts';
import type { LimitStanding } from '../../quota/limit.ts';
import type { Tiers } from '../../quota/tiers.ts';
import type { WindowKind } from '../../quota/window.ts';
import { readSql } from '../migrations/migration.ts';
import { flushArguments, flushOfOneArguments, limitedArguments, tierLiterals } from './flush-arguments.ts';
import type { Pool, Statement } from './pool.ts';
import { StandingsReader } from './standings.ts';

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

type Flush = (entries: readonly LedgerEntry[]) => Promise<(FlushOutcome | 'limited')[]>;

const lockedStatement: Statement = {
  name: 'locked_organizations',
  text: readSql(import.meta.url, 'locked-organizations.sql'),
};

/** SQLSTATE of a statement that waited too long for a lock: see migrations/0010-lock-timeout.ts. */
const lockTimedOut = '55P03';
/** A migration may lock a whole table for a moment. Then there are no locked organizations to leave out. */
const maxLockTimeouts = 5;
const dayMs = 86_400_000;

/** How long a remembered standing may miss the flushes of other replicas. */
const versionLastsMs = 1_000;

/**
 * The ledger on Postgres. The database's clock determines the window, so that replicas with different clocks agree.
 * Tests that set the time pass a `windowClock` instead.
 */
export class PostgresLedger implements LedgerStore {
  readonly #pool: Pool;
  readonly #changes: { readonly notifications: number };
  readonly #windowClock: Clock | undefined;
  readonly #flushStatement: Statement;
  readonly #flushOfOneStatement: Statement;
  readonly #flushLimitedStatement: Statement;
  readonly #standings: StandingsReader;
  /** Organizations that have had limits, whose entries need not try the statements for others first. */
  readonly #limited = new Lru<true>(10_000, () => 1);

  /** `changes.notifications` grows with every notification of a change. */
  constructor(pool: Pool, changes: { readonly notifications: number }, tiers: Tiers, windowClock?: Clock) {
    this.#pool = pool;
    this.#changes = changes;
    this.#windowClock = windowClock;
    const literals = tierLiterals(tiers);
    this.#flushStatement = {
      name: 'flush_quota',
      text: `SELECT * FROM flush_quota(${literals}, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    };
    this.#flushOfOneStatement = {
      name: 'flush_quota_of_one',
      text: `SELECT * FROM flush_quota_of_one(${literals}, $1, $2, $3, $4, $5, $6, $7)`,
    };
    this.#flushLimitedStatement = {
      name: 'flush_quota_limited',
      // The entries are in order of their organizations, so that flushes lock them in the same order.
      text: `SELECT decided.*, entries.at AS org_at
        FROM jsonb_array_elements($1) WITH ORDINALITY AS entries (entry, at)
        CROSS JOIN LATERAL flush_quota_limited(${literals}, entries.entry, $2) AS decided`,
    };
    this.#standings = new StandingsReader(pool, tiers, windowClock);
  }

  /**
   * Calls functions in the database: one for all organizations without limits, one for those with limits. If the
   * response is lost, does not repeat the call, because it may have counted. If only one of the calls fails, only the
   * entries of that call have failed.
   */
  async flush(entries: readonly LedgerEntry[]): Promise<FlushOutcome[]> {
    const isLimited = (entry: LedgerEntry): boolean =>
      this.#limited.get(entry.orgId) !== undefined || needsLimits(entry);
    const kinds = Map.groupBy(entries, isLimited);
    const [limited, others] = [kinds.get(true) ?? [], kinds.get(false) ?? []];
    const byOrg = new Map<string, FlushOutcome | 'limited'>();
    const failures: unknown[] = [];
    const decide = async (some: readonly LedgerEntry[], flush: Flush): Promise<void> => {
      if (some.length === 0) return;
      try {
        const outcomes = await this.#unlessLocked(some, flush);
        for (const [i, { orgId }] of some.entries()) byOrg.set(orgId, outcomes[i]);
      } catch (reason) {
        failures.push(reason);
        for (const { orgId } of some) byOrg.set(orgId, { failedBy: reason });
      }
    };
    await Promise.all([
      decide(others, (some) => this.#flushOthers(some)),
      decide(limited, (some) => this.#flushLimited(some)),
    ]);
    // Organizations whose limits are new to this process. Nothing of their entries has been applied.
    const found = others.filter(({ orgId }) => byOrg.get(orgId) === 'limited');
    for (const { orgId } of found) this.#limited.set(orgId, true);
    await decide(found, (some) => this.#flushLimited(some));
    const outcomes = entries.map(({ orgId }): FlushOutcome => {
      const outcome = byOrg.get(orgId);
      return outcome === 'limited' ? undefined : outcome;
    });
    if (failures.length > 0 && outcomes.every(isFailed)) throw failures[0];
    return outcomes;
  }

  async #unlessLocked(entries: readonly LedgerEntry[], flush: Flush): Promise<(FlushOutcome | 'limited')[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await flush(entries);
      } catch (reason) {
        if (codeOf(reason) !== lockTimedOut || attempt === maxLockTimeouts) throw reason;
      }
      // The flush has committed nothing.
      const locked = await this.#lockedOf(entries);
      if (locked.size === 0) continue;
      const others = entries.filter(({ orgId }) => !locked.has(orgId));
      const outcomes = others.length === 0 ? [] : await this.#unlessLocked(others, flush);
      const byOrg = new Map(others.map(({ orgId }, i) => [orgId, outcomes[i]]));
      return entries.map(({ orgId }) => (locked.has(orgId) ? 'locked' : byOrg.get(orgId)));
    }
  }

  async #lockedOf(entries: readonly LedgerEntry[]): Promise<ReadonlySet<string>> {
    const yesterday = Math.floor((this.#windowClock?.now() ?? Date.now()) / dayMs) - 1;
    const rows = await this.#pool.query<{ org_id: string }>(lockedStatement, [
      entries.map(({ orgId }) => orgId),
      yesterday,
    ]);
    return new Set(rows.map(({ org_id }) => org_id));
  }

  /** Decides organizations without limits. The outcome of one that has limits is 'limited', and nothing of its entry is applied. */
  async #flushOthers(entries: readonly LedgerEntry[]): Promise<(FlushOutcome | 'limited')[]> {
    const nowMs = this.#windowClock?.now();
    const [only, ...others] = entries;
    const [statement, values] =
      only && others.length === 0 && only.returns.length === 0
        ? [this.#flushOfOneStatement, flushOfOneArguments(only, nowMs)]
        : [this.#flushStatement, flushArguments(entries, nowMs)];
    const rows = await this.#pool.query<DecidedRow>(statement, values);
    const byPlace = new Map(rows.map((row) => [row.org_at, row]));
    return entries.map(({ runs }, i) => {
      const row = byPlace.get(i + 1);
      if (row?.granted === -1) return 'limited';
      return row && toOutcome(row, grantInOrder(runs, row.granted));
    });
  }

  async #flushLimited(entries: readonly LedgerEntry[]): Promise<FlushOutcome[]> {
    const rows = await this.#pool.query<LimitedRow>(this.#flushLimitedStatement, [
      limitedArguments(entries),
      this.#windowClock?.now(),
    ]);
    const byPlace = new Map(rows.map((row) => [row.org_at, row]));
    return entries.map(({ orgId }, i) => {
      const row = byPlace.get(i + 1);
      if (!row || row.day === null) return undefined;
      if (row.current_limits === null) this.#limited.delete(orgId);
      const { day, granted, refused_by: refusedBy, current_limits: limits } = row;
      const decided = (granted ?? []).map((granted, run) => ({ granted, refusedBy: refusedBy![run]! }));
      return toOutcome({ ...row, day }, decided, limits);
    });
  }

  standings(orgId: string, limitsKeyId: string | null): Promise<StoredStandings | undefined> {
    return this.#standings.read(orgId, limitsKeyId);
  }

  version(): number {
    return this.#changes.notifications + Math.floor(performance.now() / versionLastsMs);
  }
}

function isFailed(outcome: FlushOutcome): boolean {
  return typeof outcome === 'object' && 'failedBy' in outcome;
}

/** Entries that only `flush_quota_limited` can apply. */
function needsLimits({ runs, returns }: LedgerEntry): boolean {
  return (
    runs.some(({ ask }) => ask.units.requests !== 1) ||
    returns.some(({ reservation, units }) => units.requests !== 1 || reservation.receipt.limits.length > 0)
  );
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
