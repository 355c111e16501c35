import { performance } from 'node:perf_hooks';
import { invalidApiKey, ServiceError, unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { Gather } from '../lib/gather.ts';
import { Lru } from '../lib/lru.ts';
import { within } from '../lib/within.ts';
import { rollForward, type Standing } from './decide.ts';

/** Proof of one granted unit; gives it back to exactly the windows and the day that it was taken from. */
export interface Reservation {
  readonly orgId: string;
  readonly keyId: string;
  readonly receipt: Receipt;
}

/** Where a flush has counted what it granted. */
export interface Receipt {
  /** Days since the Unix epoch. */
  readonly day: number;
  readonly monthStartMs: number;
  /** The limit's own window where that is not the month. */
  readonly window: { readonly kind: string; readonly startMs: number } | null;
}

export interface LedgerEntry {
  readonly orgId: string;
  /** One element a waiting request, in arrival order. */
  readonly asks: readonly string[];
  readonly giveBacks: readonly Reservation[];
}

export interface LedgerOutcome {
  /** The first `granted` of the asks are granted, the others refused. */
  readonly granted: number;
  readonly receipt: Receipt;
  readonly standing: Standing;
}

export type FlushOutcome = LedgerOutcome | 'locked' | undefined;

/** The durable side of the ledger. */
export interface LedgerStore {
  /**
   * Applies all entries in one transaction, durable when it resolves; entries come with distinct organizations, ordered
   * by id. An unknown organization's outcome is undefined. That of an organization whose rows another transaction has locked for
   * longer than a flush takes is `locked`: nothing of its entry has happened.
   */
  flush(entries: readonly LedgerEntry[]): Promise<FlushOutcome[]>;
  standing(orgId: string): Promise<Standing | undefined>;
  /**
   * Changes when a standing that was read before may no longer be true: at the latest a second after that, and not
   * necessarily for what a flush of this process did, which tells its own standings.
   */
  version(): number;
}

type Move = { orgId: string; keyId: string; giveBack: Reservation | null };
type Answer =
  | { reservation: Reservation }
  | { refusedBy: Standing }
  | 'unknown organization'
  | 'given back'
  | 'locked';

/** How the flushes go, for an operator. */
export interface LedgerStats {
  /** For how long the flush that has taken longest is under way; 0 while none is. */
  readonly flushAgeMs: number;
  readonly flushFailures: number;
  /** Whether flushes have failed for some seconds, one after the other, and did so just now. */
  readonly isFailing: boolean;
  /** Organizations whose rows were found locked. */
  readonly lockedOrganizations: number;
}

/** More than one flush takes until it fails. */
const failingAfterMs = 2_500;
/** Without a flush for this long, requests have to show whether they fail still. */
const failingForMs = 10_000;
/** Moves that may share a flush: bounds its transaction, and the wait of the next one. */
const maxMovesPerFlush = 4_096;
/** A move that has waited this long for a flush that failed fails with it: the store is away, and would be waited for once more. */
const patienceMs = 200;
/** For how long a move waits for rows that another transaction has locked. */
const lockPatienceMs = 1_700;
/** For how long a response waits for where its organization stands: it only says so in headers. */
const standingPatienceMs = 400;
const standingBytes = 200;

/** The quota of every organization: exact and durable. See docs/architecture.md, "The ledger". */
export class Ledger {
  readonly #store: LedgerStore;
  readonly #clock: Clock;
  readonly #moves: Gather<Move, Answer>;
  /** Those of organizations whose rows were found locked: no other organization waits for them. */
  readonly #lockedMoves: Gather<Move, Answer>;
  readonly #locked = new Set<string>();
  /** When the flushes that are under way began. */
  readonly #flushing = new Set<{ readonly beganMs: number }>();
  #flushFailures = 0;
  /** When the first flush that failed since the last success began, and when the last one failed. */
  #failing: { readonly sinceMs: number; lastMs: number } | undefined;
  #told: (orgId: string, standing: Standing) => void = () => {};
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
   * Takes one unit, durably. Throws `rate_limit_exceeded` when none is left, and `unavailable` when the store can't
   * say: the unit may then have been counted, and is never answered.
   */
  async reserve(orgId: string, keyId: string): Promise<Reservation> {
    const answer = await this.#move({ orgId, keyId, giveBack: null });
    if (answer === 'unknown organization') throw invalidApiKey();
    if (answer === 'given back') throw new Error('a reservation was answered as a give-back');
    if ('reservation' in answer) return answer.reservation;
    throw exhausted(answer.refusedBy, this.#clock.now());
  }

  /** Has `listener` told, after each flush of this process, where the organizations in it stand. */
  onCounted(listener: (orgId: string, standing: Standing) => void): void {
    this.#told = listener;
  }

  /** Returns a unit whose request was not served. */
  async giveBack(reservation: Reservation): Promise<void> {
    await this.#move({ ...reservation, giveBack: reservation });
  }

  /**
   * Where the organization stands: at once when that is known, else from the store. While the store is away or slow, what was
   * last known; that at once with `lastKnown`, which is what to ask for when the store has just failed. Throws when nothing is known in time.
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

  /** The same from the store itself. Throws `unavailable`. */
  async readStanding(orgId: string): Promise<Standing> {
    // Asked before the read: what is committed meanwhile makes the standing outdated at once, not trusted for long.
    const version = this.#store.version();
    const known = this.#standings.get(orgId);
    const standing = await this.#store.standing(orgId).catch((reason) => {
      throw unavailable(reason);
    });
    if (!standing) throw invalidApiKey();
    // What a flush has told meanwhile may be newer than what was read.
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

  /** Resolves when every decision asked for is durable. */
  async close(): Promise<void> {
    await this.#moves.idle();
    await this.#lockedMoves.idle();
  }

  /** Throws `unavailable` when the store can't say, or the organization's rows stay locked. */
  async #move(move: Move): Promise<Exclude<Answer, 'locked'>> {
    let answer: Answer = 'locked';
    if (!this.#locked.has(move.orgId)) answer = await this.#moves.add(move);
    const sinceMs = performance.now();
    while (answer === 'locked') {
      if (performance.now() - sinceMs > lockPatienceMs)
        throw unavailable(new Error('The rows of the organization are locked'));
      answer = await this.#lockedMoves.add(move);
    }
    return answer;
  }

  async #flush(moves: Move[]): Promise<Answer[]> {
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
      this.#told(orgId, outcome.standing);
    }
    return moves.map(({ orgId, keyId, giveBack }): Answer => {
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
      // A commit that never ends keeps its rows locked: what finds nothing else does not show that flushes work again.
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

/** One entry an organization, ordered by id so that replicas lock rows in the same order and can't deadlock. */
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
  const resetsAt = new Date(standing.resetsAtMs).toISOString().replace('.000Z', 'Z');
  const what = standing.window === 'month' ? 'Monthly quota exhausted.' : 'Rate limit exceeded.';
  return new ServiceError('rate_limit_exceeded', `${what} Resets on ${resetsAt}`, {
    retryAfterSeconds: Math.max(1, Math.ceil((standing.resetsAtMs - nowMs) / 1_000)),
  });
}
