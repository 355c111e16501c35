import { performance } from 'node:perf_hooks';
import { invalidApiKey, ServiceError, unavailable } from '../errors.ts';
import { type Clock, isoSeconds, within } from '../lib/clock.ts';
import { Gather } from '../lib/gather.ts';
import { Lru } from '../lib/lru.ts';
import { rollForward, type Standing } from './decide.ts';

/** Proof of one granted unit. Names the windows and the day to return the unit to. */
export interface Reservation {
  readonly orgId: string;
  readonly keyId: string;
  readonly receipt: Receipt;
}

/** Where a flush counted the units that it granted. */
export interface Receipt {
  /** Days since the Unix epoch. */
  readonly day: number;
  readonly monthStartMs: number;
  /** The limit's own window, unless that is the month. */
  readonly window: { readonly kind: string; readonly startMs: number } | null;
}

export interface LedgerEntry {
  readonly orgId: string;
  /** The key id of each waiting request, in order of arrival. */
  readonly asks: readonly string[];
  readonly giveBacks: readonly Reservation[];
}

export interface LedgerOutcome {
  /** The first `granted` asks are granted, the others refused. */
  readonly granted: number;
  readonly receipt: Receipt;
  readonly standing: Standing;
}

export type FlushOutcome = LedgerOutcome | 'locked' | undefined;

/** Stores the ledger durably. */
export interface LedgerStore {
  /**
   * Applies all entries in one transaction, which is durable when the promise resolves. Each entry belongs to a
   * different organization, and entries are ordered by id. The outcome of an unknown organization is undefined. The
   * outcome is `locked`, and nothing of the entry is applied, if another transaction holds locks on the organization's
   * rows for longer than a flush may take.
   */
  flush(entries: readonly LedgerEntry[]): Promise<FlushOutcome[]>;
  standing(orgId: string): Promise<Standing | undefined>;
  /**
   * Returns a number that changes at most one second after a standing read earlier may have become outdated. It need
   * not change for this process's own flushes, which return their standings.
   */
  version(): number;
}

type Move = { orgId: string; keyId: string; giveBack: Reservation | null };
type Decision =
  | { reservation: Reservation }
  | { refusedBy: Standing }
  | 'unknown organization'
  | 'given back'
  | 'locked';

/** The state of the flushes, for operators. */
export interface LedgerStats {
  /** Age of the oldest flush in progress; 0 if there is none. */
  readonly flushAgeMs: number;
  readonly flushFailures: number;
  /** Whether all flushes have failed for more than 2.5 seconds, and the last failure was within the last 10 seconds. */
  readonly isFailing: boolean;
  /** Number of organizations whose rows were locked. */
  readonly lockedOrganizations: number;
}

/** Longer than one flush takes to fail, so that a single failure is not reported. */
const failingAfterMs = 2_500;
/**
 * How long after the last failure flushes are still reported as failing. After that, new requests have to show whether
 * they do.
 */
const failingForMs = 10_000;
/** Maximum number of moves per flush. Bounds the transaction and the delay of the next flush. */
const maxMovesPerFlush = 4_096;
/**
 * Moves that have waited this long when a flush fails are failed with it: another flush would only wait for the same
 * store again.
 */
const patienceMs = 200;
/** How long a move waits for rows that another transaction has locked. */
const lockPatienceMs = 1_700;
/** How long a response waits for its organization's standing, which it only needs for headers. */
const standingPatienceMs = 400;
const standingBytes = 200;

/** Counts every organization's quota, exactly and durably. See docs/architecture.md, "The ledger". */
export class Ledger {
  readonly #store: LedgerStore;
  readonly #clock: Clock;
  readonly #moves: Gather<Move, Decision>;
  /** Moves of organizations whose rows are locked, kept apart so that other organizations don't wait for them. */
  readonly #lockedMoves: Gather<Move, Decision>;
  readonly #locked = new Set<string>();
  /** The flushes in progress, oldest first. */
  readonly #flushing = new Set<{ readonly beganMs: number }>();
  #flushFailures = 0;
  /** When the first failed flush since the last success began, and when the last one failed. */
  #failing: { readonly sinceMs: number; lastMs: number } | undefined;
  #listener: (orgId: string, standing: Standing) => void = () => {};
  readonly #standings = new Lru<{ standing: Standing; version: number }>(
    10_000 * standingBytes,
    () => standingBytes,
  );

  constructor(store: LedgerStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    const flush = (moves: Move[]) => this.#flush(moves);
    this.#moves = new Gather(flush, { maxItems: maxMovesPerFlush, patienceMs });
    this.#lockedMoves = new Gather(flush, { maxItems: maxMovesPerFlush, patienceMs });
  }

  /**
   * Takes one unit, durably. Throws `rate_limit_exceeded` when none is left, and `unavailable` when the store fails:
   * the unit may then have been counted although the request is not served.
   */
  async reserve(orgId: string, keyId: string): Promise<Reservation> {
    const answer = await this.#move({ orgId, keyId, giveBack: null });
    if (answer === 'unknown organization') throw invalidApiKey();
    if (answer === 'given back') throw new Error('a reservation was answered as a give-back');
    if ('reservation' in answer) return answer.reservation;
    throw exhausted(answer.refusedBy, this.#clock.now());
  }

  /** Calls `listener` after each flush of this process with the new standing of each organization in it. */
  onCounted(listener: (orgId: string, standing: Standing) => void): void {
    this.#listener = listener;
  }

  /** Gives back a unit whose request was not served. Throws `unavailable`. */
  async giveBack(reservation: Reservation): Promise<void> {
    await this.#move({ ...reservation, giveBack: reservation });
  }

  /**
   * Returns the organization's standing, without waiting if a current one is known, otherwise from the store. If the
   * store fails or is slow, returns the last known standing. With `lastKnown`, returns the last known standing
   * immediately, even if it is outdated: useful right after the store failed. Throws when no standing is known in time.
   */
  standing(orgId: string, { lastKnown = false } = {}): Standing | Promise<Standing> {
    const known = this.#standings.get(orgId);
    if (known && (lastKnown || known.version === this.#store.version()))
      return rollForward(known.standing, this.#clock.now());
    return within(standingPatienceMs, this.readStanding(orgId)).catch((reason) => {
      if (known) return rollForward(known.standing, this.#clock.now());
      throw reason;
    });
  }

  /** Reads the organization's standing from the store. Throws `unavailable`. */
  async readStanding(orgId: string): Promise<Standing> {
    // Read the version before the standing: a commit in between then makes the standing outdated immediately.
    const version = this.#store.version();
    const known = this.#standings.get(orgId);
    const standing = await this.#store.standing(orgId).catch((reason) => {
      throw unavailable(reason);
    });
    if (!standing) throw invalidApiKey();
    // A flush may have set a newer standing during the read.
    if (this.#standings.get(orgId) === known) this.#standings.set(orgId, { standing, version });
    return standing;
  }

  get stats(): LedgerStats {
    const [oldest] = this.#flushing;
    const { sinceMs = 0, lastMs = 0 } = this.#failing ?? {};
    return {
      isFailing: lastMs - sinceMs > failingAfterMs && performance.now() - lastMs < failingForMs,
      flushAgeMs: oldest ? performance.now() - oldest.beganMs : 0,
      flushFailures: this.#flushFailures,
      lockedOrganizations: this.#locked.size,
    };
  }

  /** Resolves when every pending decision is durable. */
  async close(): Promise<void> {
    await this.#moves.idle();
    await this.#lockedMoves.idle();
  }

  /** Throws `unavailable` when the store fails or the organization's rows stay locked. */
  async #move(move: Move): Promise<Exclude<Decision, 'locked'>> {
    let answer: Decision = 'locked';
    if (!this.#locked.has(move.orgId)) answer = await this.#moves.add(move);
    const sinceMs = performance.now();
    while (answer === 'locked') {
      if (performance.now() - sinceMs > lockPatienceMs)
        throw unavailable(new Error('The rows of the organization are locked'));
      answer = await this.#lockedMoves.add(move);
    }
    return answer;
  }

  async #flush(moves: Move[]): Promise<Decision[]> {
    const entries = entriesOf(moves);
    const version = this.#store.version();
    const outcomes = await this.#flushed(entries);
    const byOrg = new Map(entries.map((entry, i) => [entry.orgId, { outcome: outcomes[i], answered: 0 }]));
    for (const [orgId, { outcome }] of byOrg) {
      if (outcome === 'locked') {
        this.#locked.add(orgId);
        continue;
      }
      this.#locked.delete(orgId);
      if (!outcome) continue;
      this.#standings.set(orgId, { standing: outcome.standing, version });
      this.#listener(orgId, outcome.standing);
    }
    return moves.map(({ orgId, keyId, giveBack }): Decision => {
      const progress = byOrg.get(orgId);
      const outcome = progress?.outcome;
      if (outcome === 'locked') return 'locked';
      if (giveBack) return 'given back';
      if (!progress || !outcome) return 'unknown organization';
      progress.answered += 1;
      if (progress.answered > outcome.granted) return { refusedBy: outcome.standing };
      return { reservation: { orgId, keyId, receipt: outcome.receipt } };
    });
  }

  async #flushed(entries: readonly LedgerEntry[]): Promise<FlushOutcome[]> {
    const flush = { beganMs: performance.now() };
    this.#flushing.add(flush);
    try {
      const outcomes = await this.#store.flush(entries);
      // A commit that hangs keeps its rows locked, so a flush that found only locked rows doesn't show that
      // flushes work again.
      if (outcomes.some((outcome) => outcome !== 'locked')) this.#failing = undefined;
      else if (this.#failing) this.#failing.lastMs = performance.now();
      return outcomes;
    } catch (reason) {
      this.#flushFailures += 1;
      this.#failing = { sinceMs: this.#failing?.sinceMs ?? flush.beganMs, lastMs: performance.now() };
      throw unavailable(reason);
    } finally {
      this.#flushing.delete(flush);
    }
  }
}

/**
 * Returns one entry per organization, ordered by id so that replicas lock rows in the same order and can't deadlock.
 */
function entriesOf(moves: readonly Move[]): LedgerEntry[] {
  const byOrg = new Map<string, { orgId: string; asks: string[]; giveBacks: Reservation[] }>();
  for (const { orgId, keyId, giveBack } of moves) {
    let entry = byOrg.get(orgId);
    if (!entry) {
      entry = { orgId, asks: [], giveBacks: [] };
      byOrg.set(orgId, entry);
    }
    if (giveBack) entry.giveBacks.push(giveBack);
    else entry.asks.push(keyId);
  }
  return [...byOrg.values()].sort((a, b) => (a.orgId < b.orgId ? -1 : 1));
}

function exhausted(standing: Standing, nowMs: number): ServiceError {
  const resetsAt = isoSeconds(standing.resetsAtMs);
  const what = standing.window === 'month' ? 'Monthly quota exhausted.' : 'Rate limit exceeded.';
  return new ServiceError('rate_limit_exceeded', `${what} Resets on ${resetsAt}`, {
    retryAfterSeconds: Math.max(1, Math.ceil((standing.resetsAtMs - nowMs) / 1_000)),
  });
}
