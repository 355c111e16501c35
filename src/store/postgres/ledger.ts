import { performance } from 'node:perf_hooks';
import { codeOf } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { Gather } from '../../lib/gather.ts';
import { type Standing, standingOf, type WindowRow } from '../../quota/decide.ts';
import type { FlushOutcome, LedgerEntry, LedgerOutcome, LedgerStore } from '../../quota/ledger.ts';
import type { Tiers } from '../../quota/tiers.ts';
import type { WindowKind } from '../../quota/window.ts';
import { readSql } from '../migrations/migration.ts';
import { customLimit, type LimitColumns } from '../schema.ts';
import { flushArguments, flushOfOneArguments, tierLiterals } from './flush-arguments.ts';
import type { Pool, Statement } from './pool.ts';

type DecidedRow = {
  /** The organization's place in the flush, from 1. Null: no such organization, or its tier is not configured. */
  org_at: number | null;
  granted: number;
  day: number;
  month_start: number;
  limit_requests: number | null;
  window_kind: WindowKind;
  window_start: number;
  window_used: number;
  now_ms: number;
};

type StandingRow = LimitColumns &
  WindowRow & { orgId: string; tier: string; kind: WindowKind | null; nowMs: number };

const standingStatement: Statement = {
  name: 'standing',
  text: `SELECT o.org_id AS "orgId", o.tier, o.limit_requests AS "limitRequests", o.limit_window AS "limitWindow",
      w.window_kind AS kind, w.window_start AS "startMs", w.used,
      COALESCE($2::BIGINT, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT) AS "nowMs"
    FROM organizations o LEFT JOIN quota_windows w ON w.org_id = o.org_id
    WHERE o.org_id = ANY ($1::TEXT[])`,
};

const lockedStatement: Statement = {
  name: 'locked_organizations',
  text: readSql(import.meta.url, 'locked-organizations.sql'),
};

/** SQLSTATE of a statement that waited too long for a lock: see migrations/0010-lock-timeout.ts. */
const lockTimedOut = '55P03';
/** A migration may lock a whole table for a moment. Then there are no locked organizations to leave out. */
const maxLockTimeouts = 5;
const dayMs = 86_400_000;

const maxStandingsPerRead = 1_000;
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
  readonly #tiers: Tiers;
  readonly #flushStatement: Statement;
  readonly #flushOfOneStatement: Statement;
  readonly #reads: Gather<string, Standing | undefined>;

  /** `changes.notifications` grows with every notification of a change. */
  constructor(pool: Pool, changes: { readonly notifications: number }, tiers: Tiers, windowClock?: Clock) {
    this.#pool = pool;
    this.#changes = changes;
    this.#windowClock = windowClock;
    this.#tiers = tiers;
    const literals = tierLiterals(tiers);
    this.#flushStatement = {
      name: 'flush_quota',
      text: `SELECT * FROM flush_quota(${literals}, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    };
    this.#flushOfOneStatement = {
      name: 'flush_quota_of_one',
      text: `SELECT * FROM flush_quota_of_one(${literals}, $1, $2, $3, $4, $5, $6)`,
    };
    this.#reads = new Gather((orgIds) => this.#readStandings(orgIds), { maxItems: maxStandingsPerRead });
  }

  /**
   * Calls a function in the database. If the response is lost, does not repeat the call, because it may have counted.
   */
  async flush(entries: readonly LedgerEntry[]): Promise<FlushOutcome[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#flushAll(entries);
      } catch (reason) {
        if (codeOf(reason) !== lockTimedOut || attempt === maxLockTimeouts) throw reason;
      }
      // The flush has committed nothing.
      const locked = await this.#lockedOf(entries);
      if (locked.size > 0) return this.#flushWithout(locked, entries);
    }
  }

  async #flushWithout(locked: ReadonlySet<string>, entries: readonly LedgerEntry[]): Promise<FlushOutcome[]> {
    const others = entries.filter(({ orgId }) => !locked.has(orgId));
    const outcomes = others.length === 0 ? [] : await this.flush(others);
    const byOrg = new Map(others.map(({ orgId }, i) => [orgId, outcomes[i]]));
    return entries.map(({ orgId }) => (locked.has(orgId) ? 'locked' : byOrg.get(orgId)));
  }

  async #lockedOf(entries: readonly LedgerEntry[]): Promise<ReadonlySet<string>> {
    const yesterday = Math.floor((this.#windowClock?.now() ?? Date.now()) / dayMs) - 1;
    const rows = await this.#pool.query<{ org_id: string }>(lockedStatement, [
      entries.map(({ orgId }) => orgId),
      yesterday,
    ]);
    return new Set(rows.map(({ org_id }) => org_id));
  }

  async #flushAll(entries: readonly LedgerEntry[]): Promise<(LedgerOutcome | undefined)[]> {
    const [only, ...others] = entries;
    const [statement, values] =
      only && others.length === 0 && only.giveBacks.length === 0
        ? [this.#flushOfOneStatement, flushOfOneArguments(only)]
        : [this.#flushStatement, flushArguments(entries)];
    const rows = await this.#pool.query<DecidedRow>(statement, [...values, this.#windowClock?.now()]);
    const byPlace = new Map(rows.map((row) => [row.org_at, row]));
    return entries.map((_, i) => {
      const row = byPlace.get(i + 1);
      return row && toOutcome(row);
    });
  }

  standing(orgId: string): Promise<Standing | undefined> {
    return this.#reads.add(orgId);
  }

  version(): number {
    return this.#changes.notifications + Math.floor(performance.now() / versionLastsMs);
  }

  async #readStandings(orgIds: readonly string[]): Promise<(Standing | undefined)[]> {
    const rows = await this.#pool.query<StandingRow>(standingStatement, [
      [...new Set(orgIds)],
      this.#windowClock?.now(),
    ]);
    const byOrg = Map.groupBy(rows, ({ orgId }) => orgId);
    return orgIds.map((orgId) => toStanding(byOrg.get(orgId), this.#tiers));
  }
}

function toOutcome(row: DecidedRow): LedgerOutcome {
  const limit = { requests: row.limit_requests, window: row.window_kind };
  const window = { startMs: row.window_start, used: row.window_used };
  return {
    granted: row.granted,
    receipt: {
      day: row.day,
      monthStartMs: row.month_start,
      window: limit.window === 'month' ? null : { kind: limit.window, startMs: window.startMs },
    },
    standing: standingOf(limit, window, row.now_ms),
  };
}

function toStanding(rows: readonly StandingRow[] | undefined, tiers: Tiers): Standing | undefined {
  const [org] = rows ?? [];
  if (!rows || !org) return undefined;
  const limit = tiers.limitOf(org.tier, customLimit(org));
  const row = rows.find(({ kind }) => kind === limit.window);
  return standingOf(limit, row, org.nowMs);
}
