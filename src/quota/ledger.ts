import { invalidApiKey, ServiceError, unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { Gather } from '../lib/gather.ts';
import { Lru } from '../lib/lru.ts';
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

/** The durable side of the ledger. */
export interface LedgerStore {
  /**
   * Applies all entries in one transaction, durable when it resolves; entries come with distinct organizations, ordered
   * by id. An unknown organization's outcome is undefined.
   */
  flush(entries: readonly LedgerEntry[]): Promise<(LedgerOutcome | undefined)[]>;
  standing(orgId: string): Promise<Standing | undefined>;
  /**
   * Changes when a standing that was read before may no longer be true: at the latest a second after that, and not
   * necessarily for what a flush of this process did, which tells its own standings.
   */
  version(): number;
}

type Move = { orgId: string; keyId: string; giveBack: Reservation | null };
type Answer = { reservation: Reservation } | { refusedBy: Standing } | 'unknown organization' | 'given back';

/** Moves that may share a flush: bounds its transaction, and the wait of the next one. */
const maxMovesPerFlush = 4_096;
const standingBytes = 200;

/** The quota of every organization: exact and durable. See docs/architecture.md, "The ledger". */
export class Ledger {
  readonly #store: LedgerStore;
  readonly #clock: Clock;
  readonly #moves: Gather<Move, Answer>;
  #told: (orgId: string, standing: Standing) => void = () => {};
  readonly #standings = new Lru<{ standing: Standing; version: number }>(
    10_000 * standingBytes,
    () => standingBytes,
  );

  constructor(store: LedgerStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#moves = new Gather((moves) => this.#flush(moves), { maxItems: maxMovesPerFlush });
  }

  /**
   * Takes one unit, durably. Throws `rate_limit_exceeded` when none is left, and `unavailable` when the store can't
   * say: the unit may then have been counted, and is never answered.
   */
  async reserve(orgId: string, keyId: string): Promise<Reservation> {
    const answer = await this.#moves.add({ orgId, keyId, giveBack: null });
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
    await this.#moves.add({ ...reservation, giveBack: reservation });
  }

  /**
   * Where the organization stands: at once when that is known, else from the store. While the store is away, what was
   * last known; that at once with `lastKnown`, which is what to ask for when the store has just failed.
   */
  standing(orgId: string, { lastKnown = false } = {}): Standing | Promise<Standing> {
    const known = this.#standings.get(orgId);
    if (known && (lastKnown || known.version === this.#store.version()))
      return rollForward(known.standing, this.#clock.now());
    return this.readStanding(orgId).catch((reason) => {
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

  /** Resolves when every decision asked for is durable. */
  close(): Promise<void> {
    return this.#moves.idle();
  }

  async #flush(moves: Move[]): Promise<Answer[]> {
    const entries = entriesOf(moves);
    const version = this.#store.version();
    const outcomes = await this.#store.flush(entries).catch((reason) => {
      throw unavailable(reason);
    });
    const byOrg = new Map(entries.map((entry, i) => [entry.orgId, { outcome: outcomes[i], answered: 0 }]));
    for (const [orgId, { outcome }] of byOrg) {
      if (!outcome) continue;
      this.#standings.set(orgId, { standing: outcome.standing, version });
      this.#told(orgId, outcome.standing);
    }
    return moves.map(({ orgId, keyId, giveBack }): Answer => {
      if (giveBack) return 'given back';
      const progress = byOrg.get(orgId);
      const outcome = progress?.outcome;
      if (!progress || !outcome) return 'unknown organization';
      progress.answered += 1;
      if (progress.answered > outcome.granted) return { refusedBy: outcome.standing };
      return { reservation: { orgId, keyId, receipt: outcome.receipt } };
    });
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
