import { LRUCache } from 'lru-cache';
import { unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { FairOrder } from '../lib/fair-order.ts';
import { FairTurns } from '../lib/fair-turns.ts';
import { type Ask, type Limited, scopesOf } from './ask.ts';
import { AtOnce } from './at-once.ts';
import { isEven, leavesRoom } from './even-pace.ts';
import { Exceeded, exceeded } from './exceeded.ts';
import type { Ledger } from './ledger.ts';
import type { Reservation } from './ledger-store.ts';
import { isWindowed, type LimitStanding, scopeIdOf, type Units } from './limit.ts';

/** A limit that makes requests wait instead of refusing them. */
type PacingLimit = LimitStanding & { readonly maxWaitMs: number };

interface Waiting {
  readonly ask: Ask;
  /** On the clock of the service. */
  readonly arrivedMs: number;
  readonly resolve: (reservation: Reservation) => void;
  readonly reject: (reason: unknown) => void;
  /** Whether the ledger is deciding. */
  isAsked: boolean;
  /** Why the request must not wait any longer, if the ledger refuses it. */
  endedBy?: unknown;
}

/** How many requests ask the ledger at the same time. They share a flush. */
const asksAtATime = 64;
/** The database's clock can be behind the service's. */
const minDelayMs = 20;
/** After this time the ledger is asked again: the limit may have been raised or removed, or units given back. */
const maxDelayMs = 1_000;
/** After so many windows without room, a line of a batch gets a turn among the requests. */
const patienceWindows = 10;

/**
 * Reserves units in the ledger. A request that a pacing limit refuses waits for its next window, in turn with the other
 * keys of the organization, and is refused only when that would take too long. The ledger decides, so no limit is
 * exceeded.
 */
export class Pacer {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  /** By organization. */
  readonly #queues = new Map<string, Queue>();
  /** An organization's lines of batches ask one after another, so that each sees what the others have used. */
  readonly #lineTurns = new FairTurns(Number.POSITIVE_INFINITY, 1);
  /** Since when lines of batches have found no room, by limit. */
  readonly #withoutRoom = new LRUCache<string, number>({ max: 1_000 });
  readonly #atOnce = new AtOnce();
  #isClosed = false;

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** Returns how many requests of this process a limit of requests at a time counts now. */
  readonly inProgress = (limitId: string): number => this.#atOnce.countOf(limitId);

  /**
   * Resolves when the limits of requests at a time have room for a request of a sender, with the function that ends it.
   * Throws as `AtOnce.begin` does, and `unavailable` when nothing is known about the sender's limits.
   */
  async begin(orgId: string, sender: Limited, signal?: AbortSignal): Promise<() => void> {
    const { limits } = await this.#ledger.standings(orgId, sender, { isNeeded: true });
    const ofProgress = limits.filter((limit) => !isWindowed(limit));
    return ofProgress.length === 0 ? () => {} : this.#atOnce.begin(orgId, ofProgress, signal);
  }

  /**
   * Takes the units, durably once it resolves. Throws as `Ledger.reserve` does, and takes none and throws the signal's
   * reason if it aborts while the request waits.
   */
  reserve(orgId: string, ask: Ask, signal?: AbortSignal): Promise<Reservation> {
    return ask.isBackground ? this.#reserveLine(orgId, ask, signal) : this.#reserve(orgId, ask, signal);
  }

  async #reserve(orgId: string, ask: Ask, signal?: AbortSignal): Promise<Reservation> {
    const queue = this.#queues.get(orgId);
    if (!this.#isClosed && queue?.mustWait(ask)) return queue.wait(ask, signal);
    try {
      return await this.#ledger.reserve(orgId, ask);
    } catch (reason) {
      const limit = pacingLimit(reason);
      if (!limit || this.#isClosed) throw reason;
      const queue = this.#queueOf(orgId);
      queue.block(limit);
      return queue.wait(ask, signal);
    }
  }

  /**
   * Reserves units for a line of a batch, which doesn't wait among requests: it is refused when it has to leave room.
   */
  async #reserveLine(orgId: string, ask: Ask, signal?: AbortSignal): Promise<Reservation> {
    if ((await this.#pacingLimits(orgId, ask)).length === 0) return this.#ledger.reserve(orgId, ask);
    const reserved = await this.#lineTurns.run({ id: orgId, weight: 1 }, 1, async () => {
      const limits = await this.#pacingLimits(orgId, ask);
      const nowMs = this.#clock.now();
      const full = limits.find((limit) => !isEven(limit, ask.units, nowMs));
      if (full && !this.#hasWaited(full, nowMs)) throw leavesRoom(full, ask.units, nowMs);
      for (const { limitId } of limits) this.#withoutRoom.delete(limitId);
      return full ? undefined : this.#ledger.reserve(orgId, ask);
    });
    return reserved ?? this.#reserve(orgId, ask, signal);
  }

  /** Returns the pacing limits that count an ask, as they are known. */
  async #pacingLimits(orgId: string, ask: Ask): Promise<LimitStanding[]> {
    const { limits } = await this.#ledger.standings(orgId, ask, { lastKnown: true });
    return limits.filter(({ maxWaitMs, unit }) => maxWaitMs !== null && ask.units[unit] > 0);
  }

  /** Reports whether lines have found no room under a limit for many windows. */
  #hasWaited({ limitId, startMs, resetsAtMs }: LimitStanding, nowMs: number): boolean {
    const windowMs = resetsAtMs - startMs;
    const sinceMs = this.#withoutRoom.get(limitId) ?? nowMs;
    // A batch asks again after a window, or after 15 seconds. A later one has not waited.
    this.#withoutRoom.set(limitId, sinceMs, { ttl: 2 * windowMs + 30_000 });
    return nowMs - sinceMs >= patienceWindows * windowMs;
  }

  /**
   * Refuses the requests that wait, and those that would have to from now on, so that a shutdown needn't wait for
   * them.
   */
  close(): void {
    this.#isClosed = true;
    this.#atOnce.close();
    for (const queue of this.#queues.values()) queue.refuseAll();
  }

  /** Reports whether so much is known to be left that the units will hardly be refused. */
  hasAmpleRoom(orgId: string, ask: Ask): boolean {
    return !ask.isBackground && this.#ledger.hasAmpleRoom(orgId, ask);
  }

  giveBack(reservation: Reservation): Promise<void> {
    return this.#ledger.giveBack(reservation);
  }

  /** Corrects the units after the computation, and returns the corrected reservation. */
  settle(reservation: Reservation, units: Units): Promise<Reservation> {
    return this.#ledger.settle(reservation, units);
  }

  #queueOf(orgId: string): Queue {
    const existing = this.#queues.get(orgId);
    if (existing) return existing;
    const reserve = (ask: Ask) => this.#ledger.reserve(orgId, ask);
    const queue = new Queue(this.#clock, reserve, () => this.#queues.delete(orgId));
    this.#queues.set(orgId, queue);
    return queue;
  }
}

/** The requests of an organization that wait. Its keys take turns. Keys that share their limits count as one. */
class Queue {
  readonly #clock: Clock;
  readonly #reserve: (ask: Ask) => Promise<Reservation>;
  readonly #onEmpty: () => void;
  readonly #order = new FairOrder();
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  /** The limits that were used up when the ledger was last asked, by the id of their scope. */
  readonly #blocks = new Map<string, PacingLimit>();
  #isTrying = false;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, reserve: (ask: Ask) => Promise<Reservation>, onEmpty: () => void) {
    this.#clock = clock;
    this.#reserve = reserve;
    this.#onEmpty = onEmpty;
  }

  /** Reports whether a limit is used up, so that a request must not overtake those that wait for it. */
  mustWait(ask: Ask): boolean {
    return this.#isTrying || this.#blocksOf(ask).length > 0;
  }

  /** Notes that a limit is used up. */
  block(limit: PacingLimit): void {
    this.#blocks.set(scopeIdOf(limit), limit);
  }

  /** Resolves when the ledger has granted the request. Rejects with the refusal if that is not possible in time. */
  wait(ask: Ask, signal?: AbortSignal): Promise<Reservation> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { ask, resolve, reject, arrivedMs: this.#clock.now(), isAsked: false };
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', () => this.#end(waiting, signal.reason), { once: true });
      if (signal?.aborted) this.#end(waiting, signal.reason);
      this.#refuseLate([waiting]);
      this.#schedule();
    });
  }

  refuseAll(): void {
    const reason = unavailable(new Error('The service is shutting down'));
    for (const waiting of this.#waiting) this.#end(waiting, reason);
    this.#schedule();
  }

  /** Ends a wait, or lets it end when the ledger has decided. */
  #end(waiting: Waiting, reason: unknown): void {
    waiting.endedBy = reason;
    if (waiting.isAsked) return;
    this.#waiting.delete(waiting);
    waiting.reject(reason);
  }

  /** Returns the limits that a request has to wait for. */
  #blocksOf(ask: Ask): PacingLimit[] {
    return scopesOf(ask).flatMap((scopeId) => this.#blocks.get(scopeId) ?? []);
  }

  /** Sets the timer to when the first limit resets. */
  #schedule(): void {
    if (this.#isTrying) return;
    if (this.#waiting.size === 0) {
      clearTimeout(this.#timer);
      this.#onEmpty();
      return;
    }
    const nowMs = this.#clock.now();
    const resetsAtMs = Math.min(
      ...this.#blocks.values().map((limit) => limit.resetsAtMs),
      nowMs + maxDelayMs,
    );
    const atMs = Math.max(resetsAtMs, nowMs + minDelayMs);
    if (atMs >= this.#timerAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(() => void this.#try(), atMs - nowMs);
  }

  /** Refuses those requests that would have to wait too long for the next window. */
  #refuseLate(some: Iterable<Waiting>): void {
    const nowMs = this.#clock.now();
    for (const waiting of some) {
      const { ask, arrivedMs } = waiting;
      const late = this.#blocksOf(ask).find(
        ({ maxWaitMs, resetsAtMs }) => arrivedMs + maxWaitMs < resetsAtMs,
      );
      if (late) this.#end(waiting, exceeded(late, ask.units, nowMs));
    }
  }

  /** Asks the ledger for those whose turn it is, until limits block all that wait. */
  async #try(): Promise<void> {
    this.#isTrying = true;
    this.#blocks.clear();
    for (let next = this.#next(); next.length > 0; next = this.#next())
      await Promise.all(next.map((waiting) => this.#ask(waiting)));
    this.#refuseLate(this.#waiting);
    this.#isTrying = false;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    this.#schedule();
  }

  async #ask(waiting: Waiting): Promise<void> {
    const { ask, resolve, reject } = waiting;
    waiting.isAsked = true;
    try {
      resolve(await this.#reserve(ask));
      // Only what is granted is a turn. Otherwise a key that begins to wait would wait for all that were refused
      // before.
      this.#order.serve(ask.limitsKeyId);
      this.#order.charge(ask.limitsKeyId, 1);
    } catch (reason) {
      const limit = pacingLimit(reason);
      if (limit) this.block(limit);
      waiting.isAsked = false;
      if (limit && waiting.endedBy === undefined) return;
      reject(limit ? waiting.endedBy : reason);
    }
    this.#waiting.delete(waiting);
  }

  /** Returns the requests whose turn it is. */
  #next(): Waiting[] {
    const byKey = Map.groupBy(this.#waiting, ({ ask }) => ask.limitsKeyId);
    for (const id of [...this.#order.next(Number.POSITIVE_INFINITY), ...byKey.keys()]) {
      const first = byKey.get(id)?.[0];
      if (first && this.#blocksOf(first.ask).length === 0) this.#order.join({ id, weight: 1 });
      else this.#order.leave(id);
    }
    const next: Waiting[] = [];
    while (next.length < asksAtATime) {
      const inOrder = this.#order.next(Number.POSITIVE_INFINITY);
      const id = inOrder.find((each) => byKey.get(each)!.length > 0);
      if (id === undefined) break;
      next.push(byKey.get(id)!.shift()!);
      this.#order.charge(id, 1);
    }
    for (const { ask } of next) this.#order.charge(ask.limitsKeyId, -1);
    return next;
  }
}

/** Returns the limit that refused a request, if the request can wait for it. */
function pacingLimit(reason: unknown): PacingLimit | undefined {
  if (!(reason instanceof Exceeded)) return undefined;
  const { by } = reason;
  return 'limitId' in by && by.maxWaitMs !== null ? { ...by, maxWaitMs: by.maxWaitMs } : undefined;
}
