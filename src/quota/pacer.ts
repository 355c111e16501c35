import { unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { FairOrder } from '../lib/fair-order.ts';
import type { Ask } from './ask.ts';
import { BackgroundAsks } from './background-asks.ts';
import { Exceeded, exceeded } from './exceeded.ts';
import type { Ledger } from './ledger.ts';
import type { Reservation } from './ledger-store.ts';
import type { LimitStanding } from './limit.ts';

/** A limit that makes requests wait instead of refusing them. */
type PacingLimit = LimitStanding & { readonly maxWaitMs: number };

/** A limit that is used up, and when the ledger is asked again. */
interface Block {
  readonly limit: PacingLimit;
  readonly untilMs: number;
}

interface Waiting {
  readonly ask: Ask;
  /** On the clock of the service. */
  readonly arrivedMs: number;
  readonly resolve: (reservation: Reservation | Promise<Reservation>) => void;
  readonly reject: (reason: unknown) => void;
  /** Why the request must not wait any longer. It may be asked for at that moment. */
  endedBy?: unknown;
}

/** How many requests ask the ledger at the same time. They share a flush. */
const asksAtATime = 64;
/** The database's clock can be behind the service's. */
const minDelayMs = 20;
/** After this time the ledger is asked again: the limit may have been raised or removed, or units given back. */
const maxDelayMs = 1_000;

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
  readonly #background: BackgroundAsks;
  #isClosed = false;

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#background = new BackgroundAsks(ledger, clock);
  }

  /** Throws as `Ledger.reserve` does, and the signal's reason if it aborts while the request waits. */
  reserve(orgId: string, ask: Ask, signal?: AbortSignal): Promise<Reservation> {
    const inTurn = () => this.#reserveInTurn(orgId, ask, signal);
    return ask.isBackground ? this.#background.reserve(orgId, ask, inTurn) : inTurn();
  }

  async #reserveInTurn(orgId: string, ask: Ask, signal?: AbortSignal): Promise<Reservation> {
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

  /** Refuses the requests that wait, and those that would have to from now on, so that a shutdown needn't wait for them. */
  close(): void {
    this.#isClosed = true;
    for (const queue of this.#queues.values()) queue.refuseAll();
  }

  hasAmpleRoom(orgId: string, ask: Ask): boolean {
    return !ask.isBackground && this.#ledger.hasAmpleRoom(orgId, ask);
  }

  giveBack(reservation: Reservation): Promise<void> {
    return this.#ledger.giveBack(reservation);
  }

  settle(reservation: Reservation, tokens: number): Promise<Reservation> {
    return this.#ledger.settle(reservation, tokens);
  }

  #queueOf(orgId: string): Queue {
    const existing = this.#queues.get(orgId);
    if (existing) return existing;
    const queue = new Queue({
      clock: this.#clock,
      reserve: (ask) => this.#ledger.reserve(orgId, ask),
      onEmpty: () => this.#queues.delete(orgId),
    });
    this.#queues.set(orgId, queue);
    return queue;
  }
}

interface QueueParts {
  readonly clock: Clock;
  readonly reserve: (ask: Ask) => Promise<Reservation>;
  readonly onEmpty: () => void;
}

/** The requests of an organization that wait. Its keys take turns. Keys that share their limits count as one. */
class Queue {
  readonly #parts: QueueParts;
  readonly #order = new FairOrder();
  /** In order of arrival, by key. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** By key, or null for the organization, and by limit. */
  readonly #blocks = new Map<string | null, Map<string, Block>>();
  #isTrying = false;
  /** The requests that the ledger is being asked for. */
  #tried: readonly Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  /** Reports whether a limit is used up, or others wait that the request must not overtake. */
  mustWait({ limitsKeyId }: Ask): boolean {
    return this.#isTrying || this.#waiting.has(limitsKeyId) || this.#blocksOf(limitsKeyId).length > 0;
  }

  /** Notes that a limit is used up. */
  block(limit: PacingLimit): void {
    const ofScope = this.#blocks.get(limit.keyId) ?? new Map<string, Block>();
    this.#blocks.set(limit.keyId, ofScope);
    const nowMs = this.#parts.clock.now();
    const untilMs = Math.min(Math.max(limit.resetsAtMs, nowMs + minDelayMs), nowMs + maxDelayMs);
    ofScope.set(limit.limitId, { limit, untilMs });
  }

  /** Resolves when the ledger has granted the request. Rejects with the refusal if that is not possible in time. */
  wait(ask: Ask, signal?: AbortSignal): Promise<Reservation> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { ask, resolve, reject, arrivedMs: this.#parts.clock.now() };
      this.#add(waiting, 'push');
      signal?.addEventListener('abort', () => this.#remove(waiting, signal.reason), { once: true });
      if (signal?.aborted) this.#remove(waiting, signal.reason);
      this.#refuseLate([waiting]);
      this.#schedule(ask.limitsKeyId);
    });
  }

  refuseAll(): void {
    const reason = unavailable(new Error('The service is shutting down'));
    for (const waiting of [...this.#waiting.values(), this.#tried].flat()) this.#remove(waiting, reason);
    this.#schedule();
  }

  #add(waiting: Waiting, place: 'push' | 'unshift'): void {
    const id = waiting.ask.limitsKeyId;
    const ofKey = this.#waiting.get(id) ?? [];
    this.#waiting.set(id, ofKey);
    ofKey[place](waiting);
    this.#order.join({ id, weight: 1, roomPercent: 100 });
  }

  #remove(waiting: Waiting, reason: unknown): void {
    const id = waiting.ask.limitsKeyId;
    const ofKey = this.#waiting.get(id);
    const place = ofKey?.indexOf(waiting) ?? -1;
    waiting.endedBy = reason;
    if (!ofKey || place < 0) return;
    ofKey.splice(place, 1);
    // A round of tries keeps the key's place in the order until its end.
    if (ofKey.length === 0 && !this.#isTrying) this.#drop(id);
    waiting.reject(reason);
  }

  /** Returns the limits that a key has to wait for. */
  #blocksOf(id: string | null): Block[] {
    const nowMs = this.#parts.clock.now();
    const scopes = id === null ? [null] : [null, id];
    return scopes
      .flatMap((scope) => [...(this.#blocks.get(scope)?.values() ?? [])])
      .filter(({ untilMs }) => untilMs > nowMs);
  }

  /** Sets the timer, for a key that has begun to wait or for all. */
  #schedule(...ids: readonly string[]): void {
    if (this.#isTrying) return;
    if (this.#waiting.size === 0) {
      clearTimeout(this.#timer);
      this.#parts.onEmpty();
      return;
    }
    const nowMs = this.#parts.clock.now();
    for (const id of ids.length > 0 ? ids : this.#waiting.keys()) {
      const atMs = this.#blocksOf(id).reduce(
        (last, { untilMs }) => Math.max(last, untilMs),
        nowMs + minDelayMs,
      );
      if (atMs >= this.#timerAtMs) continue;
      clearTimeout(this.#timer);
      this.#timerAtMs = atMs;
      this.#timer = setTimeout(() => void this.#try(), atMs - nowMs);
    }
  }

  /** Refuses those requests that would have to wait too long for the next window. */
  #refuseLate(some: Iterable<Waiting>): void {
    const nowMs = this.#parts.clock.now();
    for (const waiting of some) {
      const { ask, arrivedMs } = waiting;
      const late = this.#blocksOf(ask.limitsKeyId).find(
        ({ limit }) => arrivedMs + limit.maxWaitMs < limit.resetsAtMs,
      );
      if (late) this.#remove(waiting, exceeded(late.limit, ask.units, nowMs));
    }
  }

  /** Asks the ledger for those whose turn it is, until limits block all that wait. */
  async #try(): Promise<void> {
    this.#isTrying = true;
    for (let tried = this.#takeNext(); tried.length > 0; tried = this.#takeNext()) {
      this.#tried = tried;
      const outcomes = await Promise.allSettled(tried.map(({ ask }) => this.#parts.reserve(ask)));
      this.#tried = [];
      // Only what is granted is a turn. Otherwise a key that begins to wait would wait for all that were refused before.
      for (const { ask } of tried) this.#order.charge(ask.limitsKeyId, -1);
      const refused: Waiting[] = [];
      for (const [i, outcome] of outcomes.entries()) {
        const one = tried[i]!;
        const limit = outcome.status === 'rejected' ? pacingLimit(outcome.reason) : undefined;
        if (outcome.status === 'fulfilled') {
          this.#order.serve(one.ask.limitsKeyId);
          this.#order.charge(one.ask.limitsKeyId, 1);
          one.resolve(outcome.value);
        } else if (!limit) one.reject(outcome.reason);
        else {
          this.block(limit);
          if (one.endedBy === undefined) refused.push(one);
          else one.reject(one.endedBy);
        }
      }
      for (const one of refused.reverse()) this.#add(one, 'unshift');
      for (const [id, ofKey] of this.#waiting) if (ofKey.length === 0) this.#drop(id);
    }
    this.#refuseLate([...this.#waiting.values()].flat());
    this.#isTrying = false;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    this.#schedule();
  }

  #takeNext(): Waiting[] {
    const taken: Waiting[] = [];
    if (this.#blocksOf(null).length > 0) return taken;
    for (const id of this.#waiting.keys()) {
      if (this.#blocksOf(id).length > 0) this.#order.leave(id);
      else this.#order.join({ id, weight: 1, roomPercent: 100 });
    }
    while (taken.length < asksAtATime) {
      const inOrder = this.#order.next(Number.POSITIVE_INFINITY);
      const id = inOrder.find((each) => this.#waiting.get(each)!.length > 0);
      if (id === undefined) break;
      taken.push(this.#waiting.get(id)!.shift()!);
      this.#order.charge(id, 1);
    }
    return taken;
  }

  #drop(id: string): void {
    this.#waiting.delete(id);
    this.#order.leave(id);
  }
}

/** Returns the limit that refused a request, if the request can wait for it. */
function pacingLimit(reason: unknown): PacingLimit | undefined {
  if (!(reason instanceof Exceeded)) return undefined;
  const { by } = reason;
  return 'limitId' in by && by.maxWaitMs !== null ? { ...by, maxWaitMs: by.maxWaitMs } : undefined;
}
