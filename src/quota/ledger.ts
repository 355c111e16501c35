import { performance } from 'node:perf_hooks';
import { invalidApiKey, ServiceError, unavailable } from '../errors.ts';
import { type Clock, isoSeconds, within } from '../lib/clock.ts';
import { Gather } from '../lib/gather.ts';
import { rollForward, rollLimitsForward, type Standing } from './decide.ts';
import { KnownStandings, type Standings, type StoredStandings } from './known-standings.ts';
import type { LimitStanding, LimitUnit, Units } from './limit.ts';

/** A request that waits for a decision. */
export interface Ask {
  readonly keyId: string;
  /** The first key of the chain of rotations that `keyId` belongs to. Its keys share their limits. */
  readonly limitsKeyId: string;
  readonly model: string;
  readonly units: Units;
}

/** Proof of a granted request. Names the windows and the day to return its units to. */
export interface Reservation extends Ask {
  readonly orgId: string;
  readonly receipt: Receipt;
}

/** Where a flush counted a request that it granted. */
export interface Receipt {
  /** Days since the Unix epoch. */
  readonly day: number;
  readonly monthStartMs: number;
  /** The quota's own window, unless that is the month. */
  readonly window: { readonly kind: string; readonly startMs: number } | null;
  readonly limits: readonly {
    readonly limitId: string;
    readonly unit: LimitUnit;
    readonly startMs: number;
  }[];
}

/** Units of a reservation that were not used after all. Negative: that were used beyond it. */
export interface Return {
  readonly reservation: Reservation;
  readonly units: Units;
}

export interface LedgerEntry {
  readonly orgId: string;
  /** In order of arrival. */
  readonly asks: readonly Ask[];
  readonly returns: readonly Return[];
}

export interface LedgerOutcome {
  /** For each ask, null if it is granted, and otherwise the id of the limit that refuses it. */
  readonly refusedBy: readonly (string | null)[];
  readonly receipt: Omit<Receipt, 'limits'>;
  readonly standing: Standing;
  /** The limits of the organization and of the keys that ask. Null: the organization and its keys have none. */
  readonly limits: readonly LimitStanding[] | null;
}

export type FlushOutcome = LedgerOutcome | { readonly failedBy: unknown } | 'locked' | undefined;

/** Stores the ledger durably. */
export interface LedgerStore {
  /**
   * Applies all entries, each in one transaction, which is durable when the promise resolves. Each entry belongs to a
   * different organization, and entries are ordered by id. The outcome of an unknown organization is undefined. The
   * outcome is `locked`, and nothing of the entry is applied, if another transaction holds locks on the organization's
   * rows for longer than a flush may take. Throws if all entries fail; the outcome of one that fails alone is `failedBy`.
   */
  flush(entries: readonly LedgerEntry[]): Promise<FlushOutcome[]>;
  /**
   * Returns the quota, and the limits that apply to the key; `limits` is null if the organization and its keys have
   * none. Undefined: no such organization.
   */
  standings(orgId: string, limitsKeyId: string | null): Promise<StoredStandings | undefined>;
  /**
   * Returns a number that changes at most one second after standings read earlier may have become outdated. It need
   * not change for this process's own flushes, which return their standings.
   */
  version(): number;
}

type Move = { readonly orgId: string } & ({ readonly ask: Ask } | { readonly back: Return });
type Decision =
  | { reservation: Reservation }
  | { refusedBy: Standing | LimitStanding }
  | 'unknown organization'
  | 'returned'
  | { failedBy: unknown }
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
const noLimits: readonly LimitStanding[] = [];

/** Counts every organization's quota and limits, exactly and durably. See docs/architecture.md, "The ledger". */
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
  readonly #known = new KnownStandings();

  constructor(store: LedgerStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    const flush = (moves: Move[]) => this.#flush(moves);
    this.#moves = new Gather(flush, { maxItems: maxMovesPerFlush, patienceMs });
    this.#lockedMoves = new Gather(flush, { maxItems: maxMovesPerFlush, patienceMs });
  }

  /**
   * Counts a request in the quota and in all limits that apply to it, durably, or in none of them. Throws
   * `rate_limit_exceeded` when one of them is exceeded, `invalid_request` when a limit allows fewer units than the
   * request has, and `unavailable` when the store fails: the request may then have been counted although it is not
   * served.
   */
  async reserve(orgId: string, ask: Ask): Promise<Reservation> {
    const decision = await this.#move({ orgId, ask });
    if (decision === 'unknown organization') throw invalidApiKey();
    if (decision === 'returned') throw new Error('an ask was decided as a return');
    if ('reservation' in decision) return decision.reservation;
    throw exceeded(decision.refusedBy, ask.units, this.#clock.now());
  }

  /** Calls `listener` after each flush of this process with the new standing of each organization in it. */
  onCounted(listener: (orgId: string, standing: Standing) => void): void {
    this.#listener = listener;
  }

  /** Returns all units of a request that was not served. Throws `unavailable`. */
  async giveBack(reservation: Reservation): Promise<void> {
    await this.#move({ orgId: reservation.orgId, back: { reservation, units: reservation.units } });
  }

  /**
   * Corrects the tokens of a request whose reservation was an estimate. Can exceed a limit, because the tokens have
   * been used. Returns the corrected reservation. Throws `unavailable`.
   */
  async settle(reservation: Reservation, tokens: number): Promise<Reservation> {
    const { orgId, receipt, units } = reservation;
    if (receipt.limits.some(({ unit }) => unit === 'tokens')) {
      const unused = { requests: 0, texts: 0, tokens: units.tokens - tokens };
      await this.#move({ orgId, back: { reservation, units: unused } });
    }
    return { ...reservation, units: { ...units, tokens } };
  }

  /**
   * Returns the organization's quota and the limits that apply to a key, without waiting if current ones are known,
   * otherwise from the store. If the store fails or is slow, returns the last known ones. With `lastKnown`, returns the
   * last known ones immediately, even if they are outdated: useful right after the store failed. Throws when none are
   * known in time.
   */
  standings(
    orgId: string,
    limitsKeyId: string | null,
    { lastKnown = false } = {},
  ): Standings | Promise<Standings> {
    const known = this.#known.get(orgId, limitsKeyId);
    if (known && (lastKnown || known.version === this.#store.version()))
      return this.#inForce(known.standings);
    return within(standingPatienceMs, this.#readStandings(orgId, limitsKeyId)).catch((reason) => {
      if (known) return this.#inForce(known.standings);
      throw reason;
    });
  }

  /** Returns the organization's quota. Waits and throws as `standings` does. */
  standing(orgId: string): Standing | Promise<Standing> {
    const standings = this.standings(orgId, null);
    return standings instanceof Promise ? standings.then(({ quota }) => quota) : standings.quota;
  }

  /** Reads the organization's quota from the store. Throws `unavailable`. */
  async readStanding(orgId: string): Promise<Standing> {
    return (await this.#readStandings(orgId, null)).quota;
  }

  /** Reads the limits that apply to a key from the store. Null: the organization's own limits. Throws `unavailable`. */
  async readLimits(orgId: string, limitsKeyId: string | null): Promise<readonly LimitStanding[]> {
    return (await this.#readStandings(orgId, limitsKeyId)).limits;
  }

  async #readStandings(orgId: string, limitsKeyId: string | null): Promise<Standings> {
    // Read the version before the standings: a commit in between then makes them outdated immediately.
    const version = this.#store.version();
    const mark = this.#known.mark(orgId);
    const stored = await this.#store.standings(orgId, limitsKeyId).catch((reason) => {
      throw unavailable(reason);
    });
    if (!stored) throw invalidApiKey();
    // A flush may have set newer standings during the read.
    if (this.#known.mark(orgId) !== mark) return { quota: stored.quota, limits: stored.limits ?? [] };
    return this.#known.set(orgId, stored, {
      version,
      limitsKeyIds: limitsKeyId === null ? [] : [limitsKeyId],
    });
  }

  /** Returns `standings` itself if no window has passed. */
  #inForce(standings: Standings): Standings {
    const nowMs = this.#clock.now();
    const quota = rollForward(standings.quota, nowMs);
    const limits = rollLimitsForward(standings.limits, nowMs);
    return quota === standings.quota && limits === standings.limits ? standings : { quota, limits };
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
  async #move(move: Move): Promise<Exclude<Decision, 'locked' | { failedBy: unknown }>> {
    let answer: Decision = 'locked';
    if (!this.#locked.has(move.orgId)) answer = await this.#moves.add(move);
    const sinceMs = performance.now();
    while (answer === 'locked') {
      if (performance.now() - sinceMs > lockPatienceMs)
        throw unavailable(new Error('The rows of the organization are locked'));
      answer = await this.#lockedMoves.add(move);
    }
    if (typeof answer === 'object' && 'failedBy' in answer) throw unavailable(answer.failedBy);
    return answer;
  }

  async #flush(moves: Move[]): Promise<Decision[]> {
    const entries = entriesOf(moves);
    const version = this.#store.version();
    const outcomes = await this.#flushed(entries);
    const byOrg = new Map(
      entries.map((entry, i) => [entry.orgId, { entry, outcome: outcomes[i], decided: 0 }]),
    );
    for (const [orgId, { entry, outcome }] of byOrg) {
      if (outcome === 'locked') {
        this.#locked.add(orgId);
        continue;
      }
      this.#locked.delete(orgId);
      if (!outcome || 'failedBy' in outcome) continue;
      const limitsKeyIds =
        outcome.limits === null ? [] : [...new Set(entry.asks.map((ask) => ask.limitsKeyId))];
      const returned = entry.returns.map(({ reservation }) => reservation.limitsKeyId);
      const stored = { quota: outcome.standing, limits: outcome.limits };
      this.#known.set(orgId, stored, { version, limitsKeyIds, outdatedKeyIds: returned });
      this.#listener(orgId, outcome.standing);
    }
    return moves.map((move): Decision => {
      const progress = byOrg.get(move.orgId);
      const outcome = progress?.outcome;
      if (outcome === 'locked') return 'locked';
      if (outcome && 'failedBy' in outcome) return outcome;
      if ('back' in move) return 'returned';
      if (!progress || !outcome) return 'unknown organization';
      const refusedBy = outcome.refusedBy[progress.decided++] ?? null;
      if (refusedBy === null) {
        const receipt = { ...outcome.receipt, limits: countedIn(outcome.limits, move.ask) };
        return { reservation: { orgId: move.orgId, ...move.ask, receipt } };
      }
      return { refusedBy: outcome.limits?.find(({ limitId }) => limitId === refusedBy) ?? outcome.standing };
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
  const byOrg = new Map<string, { orgId: string; asks: Ask[]; returns: Return[] }>();
  for (const move of moves) {
    let entry = byOrg.get(move.orgId);
    if (!entry) {
      entry = { orgId: move.orgId, asks: [], returns: [] };
      byOrg.set(move.orgId, entry);
    }
    if ('back' in move) entry.returns.push(move.back);
    else entry.asks.push(move.ask);
  }
  return [...byOrg.values()].sort((a, b) => (a.orgId < b.orgId ? -1 : 1));
}

/** Returns the limits among `limits` that a request counts in. Most organizations have none. */
function countedIn(
  limits: readonly LimitStanding[] | null,
  { limitsKeyId, units }: Ask,
): readonly LimitStanding[] {
  if (limits === null) return noLimits;
  return limits.filter(({ keyId, unit }) => (keyId === null || keyId === limitsKeyId) && units[unit] > 0);
}

function exceeded(by: Standing | LimitStanding, units: Units, nowMs: number): ServiceError {
  const resetsAt = isoSeconds(by.resetsAtMs);
  const options = { retryAfterSeconds: Math.max(1, Math.ceil((by.resetsAtMs - nowMs) / 1_000)) };
  if (!('unit' in by)) {
    const what = by.window === 'month' ? 'Monthly quota exhausted.' : 'Rate limit exceeded.';
    return new ServiceError('rate_limit_exceeded', `${what} Resets on ${resetsAt}`, options);
  }
  const { unit, window, amount } = by;
  const scope = by.keyId === null ? 'organization' : 'key';
  if (units[unit] > amount) {
    return new ServiceError(
      'invalid_request',
      `The request has ${units[unit].toLocaleString('en-US')} ${unit}, but this ${scope} may use at most ${amount.toLocaleString('en-US')} per ${window}`,
      { param: 'input' },
    );
  }
  return new ServiceError(
    'rate_limit_exceeded',
    `${unitNames[unit]} limit per ${window} exceeded for this ${scope}. Resets on ${resetsAt}`,
    options,
  );
}

const unitNames: Readonly<Record<LimitUnit, string>> = {
  requests: 'Request',
  texts: 'Text',
  tokens: 'Token',
};
