import { performance } from 'node:perf_hooks';
import { Gather } from '../../packages/small/src/gather.ts';
import { invalidApiKey, unavailable } from '../errors.ts';
import { type Clock, within } from '../lib/clock.ts';
import { thenOrNow } from '../lib/then-or-now.ts';
import { type Ask, type Limited, limitedId, scopesOf } from './ask.ts';
import { rollForward, rollLimitsForward, type Standing } from './decide.ts';
import { exceeded } from './exceeded.ts';
import { KnownStandings, type Standings, type StoredStandings } from './known-standings.ts';
import {
  type FlushOutcome,
  isApplied,
  type LedgerEntry,
  type LedgerStore,
  type Reservation,
} from './ledger-store.ts';
import { countedUnits, type LimitStanding, type LimitUnit, ownScope, type Units } from './limit.ts';
import { type Decision, decisionsOf, entriesOf, type Move } from './moves.ts';

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

/** Receives the new standing of an organization, and of the limits of all whose requests were decided. */
type CountedListener = (orgId: string, quota: Standing, limits: readonly LimitStanding[]) => void;

/** Longer than one flush takes to fail, so that a single failure is not reported. */
const failingAfterMs = 2_500;
/**
 * How long after the last failure flushes are still reported as failing. After that, new requests have to show whether
 * they do.
 */
const failingForMs = 10_000;
/** Maximum number of moves per flush. Bounds the transaction and the delay of the next flush. */
const maxMovesPerFlush = 4_096;
/** If a flush fails, moves older than this fail too. Retrying them would only wait for the same broken store. */
const patienceMs = 200;
/** How long a move waits for rows that another transaction has locked. */
const lockPatienceMs = 1_700;
/** More than the requests that an organization can have in progress by default. */
const ampleTimes = 1_100;
/** How long a response waits for its organization's standing, which it only needs for headers. */
const standingPatienceMs = 400;

/** Counts every organization's quota and limits, exactly and durably. See docs/ledger.md. */
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
  #listener: CountedListener = () => {};
  readonly #known = new KnownStandings();
  /** By how much this process's clock is ahead of the database's. */
  #aheadMs = 0;

  constructor(store: LedgerStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    const options = { maxItems: maxMovesPerFlush, patienceMs };
    this.#moves = new Gather((moves) => this.#flush(moves), options);
    this.#lockedMoves = new Gather((moves) => this.#flush(moves, { isRepeated: true }), options);
  }

  /**
   * Counts a request in the quota and in all limits that apply to it, durably, or in none of them. Throws
   * `rate_limit_exceeded` when one of them is exceeded, `invalid_request` when a limit allows fewer units than the
   * request has, and `unavailable` when the store fails: the request may then have been counted although it is not
   * served.
   */
  async reserve(orgId: string, ask: Ask): Promise<Reservation> {
    const decision = await this.#move({ orgId, ask, giveBack: null });
    if (decision.kind === 'granted') return decision.reservation;
    if (decision.kind === 'refused') throw exceeded(decision.by, ask.units, this.nowMs);
    throw invalidApiKey();
  }

  /**
   * Reports whether the last known standings leave room for so many such requests that this one will hardly be refused.
   * It still can be, for example when larger requests come first. Never waits.
   */
  hasAmpleRoom(orgId: string, ask: Ask): boolean {
    const { units } = ask;
    const known = this.#known.get(orgId, ask);
    if (!known || this.stats.isFailing) return false;
    const { quota, limits } = this.#inForce(known.standings);
    const isAmple = (unit: LimitUnit, used: number, most: number | null): boolean =>
      most === null || used + ampleTimes * units[unit] <= most;
    return (
      isAmple(quota.unit, quota.used, quota.limit) &&
      limits.every(({ unit, used, amount }) => isAmple(unit, used, amount))
    );
  }

  /** Calls `listener` after each flush of this process with the new standings of each organization in it. */
  onCounted(listener: CountedListener): void {
    this.#listener = listener;
  }

  /** Returns all units of a request that was not served. Throws `unavailable`. */
  async giveBack(reservation: Reservation): Promise<void> {
    const { orgId, units } = reservation;
    await this.#move({ orgId, ask: null, giveBack: { reservation, units } });
  }

  /**
   * Corrects the units of a request whose reservation was an estimate. Can exceed a limit, because they have been used.
   * Returns the corrected reservation. Throws `unavailable`.
   */
  async settle(reservation: Reservation, units: Units): Promise<Reservation> {
    const { orgId, units: taken } = reservation;
    const unused = { ...units };
    for (const unit of countedUnits) unused[unit] = taken[unit] - units[unit];
    await this.#move({ orgId, ask: null, giveBack: { reservation, units: unused } });
    return { ...reservation, units };
  }

  /**
   * Returns the organization's quota and the limits that apply to a caller, without waiting if current ones are known,
   * otherwise from the store. If the store fails or is slow, returns the last known ones. With `lastKnown`, returns the
   * last known ones immediately, even if they are outdated: useful right after the store failed. With `isNeeded`, waits as
   * long as the store does if none are known. Throws `unavailable` when none are known in time.
   */
  standings(
    orgId: string,
    limited: Limited | null,
    { lastKnown = false, isNeeded = false } = {},
  ): Standings | Promise<Standings> {
    const known = this.#known.get(orgId, limited);
    if (known && (lastKnown || known.version === this.#store.version()))
      return this.#inForce(known.standings);
    const reading = this.#readStandings(orgId, limited);
    return (isNeeded && !known ? reading : within(standingPatienceMs, reading)).catch((reason) => {
      if (known) return this.#inForce(known.standings);
      throw unavailable(reason);
    });
  }

  /** Returns the organization's quota. Waits and throws as `standings` does. */
  standing(orgId: string): Standing | Promise<Standing> {
    const standings = this.standings(orgId, null);
    return thenOrNow(standings, ({ quota }) => quota);
  }

  /** Reads the organization's quota from the store. Throws `unavailable`. */
  async readStanding(orgId: string): Promise<Standing> {
    return (await this.#readStandings(orgId, null)).quota;
  }

  /** Reads the limits of some scopes from the store. Throws `unavailable`. */
  async readLimits(orgId: string, scopeIds: readonly string[]): Promise<readonly LimitStanding[]> {
    return (await this.#read(orgId, scopeIds)).limits ?? [];
  }

  async #readStandings(orgId: string, limited: Limited | null): Promise<Standings> {
    // Read the version before the standings: a commit in between then makes them outdated immediately.
    const version = this.#store.version();
    const stored = await this.#read(orgId, limited ? scopesOf(limited) : [ownScope]);
    this.#known.add(orgId, stored, version, limited);
    return { quota: stored.quota, limits: stored.limits ?? [] };
  }

  async #read(orgId: string, scopeIds: readonly string[]): Promise<StoredStandings> {
    const askedMs = this.#clock.now();
    const stored = await this.#store.standings(orgId, scopeIds).catch((reason) => {
      throw unavailable(reason);
    });
    if (!stored) throw invalidApiKey();
    this.#compareClocks(askedMs, stored.quota);
    return stored;
  }

  /** Corrects the difference of the clocks if it can't be right. The time is then too early, if it is wrong at all. */
  #compareClocks(askedMs: number, { asOfMs }: Standing): void {
    const mostMs = this.#clock.now() - asOfMs;
    if (this.#aheadMs > mostMs || this.#aheadMs < askedMs - asOfMs) this.#aheadMs = mostMs;
  }

  /** The time by the database's clock, which decides about the windows. */
  get nowMs(): number {
    return this.#clock.now() - this.#aheadMs;
  }

  /** Returns `standings` itself if no window has passed. */
  #inForce(standings: Standings): Standings {
    const quota = rollForward(standings.quota, this.nowMs);
    const limits = rollLimitsForward(standings.limits, this.nowMs);
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

  /** Rejects with `unavailable` when the store fails or the organization's rows stay locked. */
  #move(move: Move): Promise<Decision> {
    return this.#locked.has(move.orgId) ? this.#moveLocked(move) : this.#moves.add(move);
  }

  async #moveLocked(move: Move): Promise<Decision> {
    const sinceMs = performance.now();
    for (;;) {
      const decision = await this.#lockedMoves.add(move);
      if (decision.kind !== 'locked') return decision;
      if (performance.now() - sinceMs > lockPatienceMs)
        throw unavailable(new Error('The rows of the organization are locked'));
    }
  }

  async #flush(moves: Move[], { isRepeated = false } = {}): Promise<(Decision | Promise<Decision>)[]> {
    const entries = entriesOf(moves);
    const version = this.#store.version();
    const askedMs = this.#clock.now();
    const outcomes = await this.#flushed(entries);
    for (const { standing } of outcomes.filter(isApplied)) this.#compareClocks(askedMs, standing);
    for (const [i, entry] of entries.entries()) this.#learn(entry, outcomes[i], version);
    return decisionsOf(moves, entries, outcomes).map((decision, i) => {
      if (decision.kind === 'failed') return Promise.reject(unavailable(decision.by));
      return decision.kind === 'locked' && !isRepeated ? this.#moveLocked(moves[i]!) : decision;
    });
  }

  #learn({ orgId, runs }: LedgerEntry, outcome: FlushOutcome, version: number): void {
    if (outcome === 'locked') {
      this.#locked.add(orgId);
      return;
    }
    this.#locked.delete(orgId);
    if (!isApplied(outcome)) return;
    const { standing, limits } = outcome;
    const asks = limits === null ? [] : new Map(runs.map(({ ask }) => [limitedId(ask), ask])).values();
    this.#known.replace(orgId, { quota: standing, limits }, version, [...asks]);
    this.#listener(orgId, standing, limits ?? []);
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
