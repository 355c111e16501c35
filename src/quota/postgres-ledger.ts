import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { isAboutData, lockTimedOut } from '../database/postgres/faults.ts';
import type { Pool, Statement } from '../database/postgres/pool.ts';
import { codeOf } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { StoredStandings } from './known-standings.ts';
import type { FlushOutcome, LedgerEntry, LedgerStore } from './ledger-store.ts';
import { FlushStatement } from './postgres-flush.ts';
import { StandingsReader } from './postgres-standings.ts';
import type { Tiers } from './tiers.ts';

const lockedStatement: Statement = {
  name: 'locked_organizations',
  text: readFileSync(new URL('locked-organizations.sql', import.meta.url), 'utf8'),
};

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
  readonly #statement: FlushStatement;
  readonly #standings: StandingsReader;

  /** `changes.notifications` grows with every notification of a change. */
  constructor(pool: Pool, changes: { readonly notifications: number }, tiers: Tiers, windowClock?: Clock) {
    this.#pool = pool;
    this.#changes = changes;
    this.#windowClock = windowClock;
    this.#statement = new FlushStatement(pool, tiers, windowClock);
    this.#standings = new StandingsReader(pool, tiers, windowClock);
  }

  async flush(entries: readonly LedgerEntry[]): Promise<FlushOutcome[]> {
    // For all statements, so that the halves of one that failed for another reason don't wait for the same rows again.
    const locked = new Set<string>();
    const outcomes = await decideApart(entries, (some, onSend) => this.#unlessLocked(some, locked, onSend));
    const [first] = outcomes;
    if (isFailed(first) && outcomes.every(isFailed)) throw first.failedBy;
    return outcomes;
  }

  /** Leaves out the organizations in `locked`, and adds those that it finds. Their outcome is 'locked'. */
  async #unlessLocked(
    entries: readonly LedgerEntry[],
    locked: Set<string>,
    onSend: () => void,
  ): Promise<FlushOutcome[]> {
    let attempts = 0;
    for (;;) {
      const others = entries.filter(({ orgId }) => !locked.has(orgId));
      try {
        onSend();
        const outcomes = others.length === 0 ? [] : await this.#statement.decide(others);
        const byOrg = new Map(others.map(({ orgId }, i) => [orgId, outcomes[i]]));
        return entries.map(({ orgId }) => (locked.has(orgId) ? 'locked' : byOrg.get(orgId)));
      } catch (reason) {
        attempts += 1;
        if (codeOf(reason) !== lockTimedOut || attempts === maxLockTimeouts) throw reason;
      }
      // The statement has committed nothing.
      const found = await this.#lockedOf(others);
      for (const orgId of found) locked.add(orgId);
      if (found.size > 0) attempts = 0;
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

  standings(orgId: string, scopeIds: readonly string[]): Promise<StoredStandings | undefined> {
    return this.#standings.read(orgId, scopeIds);
  }

  version(): number {
    return this.#changes.notifications + Math.floor(performance.now() / versionLastsMs);
  }
}

function isFailed(outcome: FlushOutcome): outcome is { readonly failedBy: unknown } {
  return typeof outcome === 'object' && 'failedBy' in outcome;
}

/**
 * How long statements may fail before those that are left fail without being sent. Long enough to find some
 * organizations that make statements fail, and short enough that a flush ends soon if the database is at fault.
 */
const maxFailingMs = 500;

/**
 * Sends one statement. If Postgres rejects it because of its data, splits it in half and tries each half, until only
 * the offending organizations fail. If the response is lost, doesn't send it again, because it may have counted.
 * `decide` calls `onSend` whenever it sends a statement, so that its waits for locked rows before don't count as
 * failing. Returns an outcome for each entry, in order. Never rejects.
 */
async function decideApart(
  entries: readonly LedgerEntry[],
  decide: (entries: readonly LedgerEntry[], onSend: () => void) => Promise<FlushOutcome[]>,
): Promise<FlushOutcome[]> {
  let sentMs = 0;
  const onSend = () => {
    sentMs = performance.now();
  };
  let failingMs = 0;
  let failure: unknown;
  const outcomesOf = async (some: readonly LedgerEntry[]): Promise<FlushOutcome[]> => {
    if (failingMs > maxFailingMs) return some.map(() => ({ failedBy: failure }));
    try {
      return await decide(some, onSend);
    } catch (reason) {
      failure = reason;
      failingMs += performance.now() - sentMs;
      if (some.length === 1 || !isAboutData(reason)) return some.map(() => ({ failedBy: reason }));
    }
    const half = some.length >> 1;
    return [...(await outcomesOf(some.slice(0, half))), ...(await outcomesOf(some.slice(half)))];
  };
  return await outcomesOf(entries);
}
