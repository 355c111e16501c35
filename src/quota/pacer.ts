import type { Clock } from '../lib/clock.ts';
import { FairOrder } from '../lib/fair-order.ts';
import type { Ask } from './ask.ts';
import { Exceeded } from './exceeded.ts';
import type { Ledger } from './ledger.ts';
import type { Reservation } from './ledger-store.ts';
import type { LimitStanding } from './limit.ts';

/** A limit that makes requests wait instead of refusing them. */
type PacingLimit = LimitStanding & { readonly maxWaitMs: number };

interface Waiting {
  readonly ask: Ask;
  readonly resolve: (reservation: Reservation | Promise<Reservation>) => void;
  readonly reject: (reason: unknown) => void;
  /** On the clock of the service. */
  readonly untilMs: number;
}

/** How many requests ask the ledger at the same time. They share a flush. */
const asksAtATime = 64;
/** The database's clock can be behind the service's. */
const minDelayMs = 20;

/**
 * Reserves units in the ledger. A request that a pacing limit refuses waits for its next window, in turn with the other
 * keys, and is refused only when that would take too long. The ledger decides, so no limit is exceeded.
 */
export class Pacer {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  /** The queues of requests that wait, by the scope of the limit. */
  readonly #lanes = new Map<string, Lane>();

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** Throws as `Ledger.reserve` does. */
  async reserve(orgId: string, ask: Ask): Promise<Reservation> {
    // Whoever comes later waits behind those who wait already.
    const lane = this.#lanes.get(scopeOf(orgId, null)) ?? this.#lanes.get(scopeOf(orgId, ask.limitsKeyId));
    if (lane) return lane.wait(ask);
    try {
      return await this.#ledger.reserve(orgId, ask);
    } catch (reason) {
      const limit = pacingLimit(reason);
      if (!limit) throw reason;
      return this.#laneFor(orgId, limit, reason as Exceeded).wait(ask);
    }
  }

  giveBack(reservation: Reservation): Promise<void> {
    return this.#ledger.giveBack(reservation);
  }

  settle(reservation: Reservation, tokens: number): Promise<Reservation> {
    return this.#ledger.settle(reservation, tokens);
  }

  #laneFor(orgId: string, limit: PacingLimit, refusal: Exceeded): Lane {
    const scope = scopeOf(orgId, limit.keyId);
    const existing = this.#lanes.get(scope);
    if (existing) return existing;
    const lane = new Lane(limit, refusal, {
      clock: this.#clock,
      reserve: (ask) => this.#ledger.reserve(orgId, ask),
      onEmpty: () => this.#lanes.delete(scope),
    });
    this.#lanes.set(scope, lane);
    return lane;
  }
}

interface LaneParts {
  readonly clock: Clock;
  readonly reserve: (ask: Ask) => Promise<Reservation>;
  readonly onEmpty: () => void;
}

/** The requests that wait for one limit. The keys take turns. */
class Lane {
  #limit: PacingLimit;
  #refusal: Exceeded;
  readonly #parts: LaneParts;
  readonly #order = new FairOrder();
  /** In order of arrival, by key. */
  readonly #waiting = new Map<string, Waiting[]>();
  #isTrying = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limit: PacingLimit, refusal: Exceeded, parts: LaneParts) {
    this.#limit = limit;
    this.#refusal = refusal;
    this.#parts = parts;
  }

  /** Resolves when the ledger has granted the request. Rejects with the refusal if that is not possible in time. */
  wait(ask: Ask): Promise<Reservation> {
    return new Promise((resolve, reject) => {
      const untilMs = this.#parts.clock.now() + this.#limit.maxWaitMs;
      this.#add({ ask, resolve, reject, untilMs }, 'push');
      this.#schedule();
    });
  }

  #add(waiting: Waiting, place: 'push' | 'unshift'): void {
    const { keyId } = waiting.ask;
    const ofKey = this.#waiting.get(keyId) ?? [];
    this.#waiting.set(keyId, ofKey);
    ofKey[place](waiting);
    this.#order.join({ id: keyId, weight: 1, roomPercent: 100 });
  }

  #schedule(): void {
    if (this.#isTrying) return;
    clearTimeout(this.#timer);
    this.#refuseLate();
    if (this.#waiting.size === 0) {
      this.#parts.onEmpty();
      return;
    }
    const delayMs = Math.max(minDelayMs, this.#limit.resetsAtMs - this.#parts.clock.now());
    this.#timer = setTimeout(() => void this.#try(), delayMs);
  }

  /** Refuses the requests that would have to wait too long for the next window. */
  #refuseLate(): void {
    for (const [keyId, ofKey] of this.#waiting) {
      const inTime = ofKey.filter(({ untilMs }) => untilMs >= this.#limit.resetsAtMs);
      for (const late of ofKey) if (!inTime.includes(late)) late.reject(this.#refusal);
      if (inTime.length > 0) this.#waiting.set(keyId, inTime);
      else this.#drop(keyId);
    }
  }

  /** Asks the ledger for those whose turn it is, until it refuses one. */
  async #try(): Promise<void> {
    this.#isTrying = true;
    let isRefused = false;
    while (!isRefused && this.#waiting.size > 0) {
      const tried = this.#takeNext();
      const outcomes = await Promise.allSettled(tried.map(({ ask }) => this.#parts.reserve(ask)));
      const refused: Waiting[] = [];
      for (const [i, outcome] of outcomes.entries()) {
        const one = tried[i]!;
        const limit = outcome.status === 'rejected' ? pacingLimit(outcome.reason) : undefined;
        if (outcome.status === 'fulfilled') one.resolve(outcome.value);
        else if (!limit) one.reject(outcome.reason);
        else {
          this.#limit = limit;
          this.#refusal = outcome.reason;
          refused.push(one);
        }
      }
      for (const one of refused.reverse()) this.#add(one, 'unshift');
      isRefused = refused.length > 0;
    }
    this.#isTrying = false;
    this.#schedule();
  }

  #takeNext(): Waiting[] {
    const taken: Waiting[] = [];
    while (taken.length < asksAtATime) {
      const [keyId] = this.#order.next(0);
      if (keyId === undefined) break;
      const ofKey = this.#waiting.get(keyId)!;
      const next = ofKey.shift()!;
      taken.push(next);
      this.#order.serve(keyId);
      this.#order.charge(keyId, next.ask.units[this.#limit.unit]);
      if (ofKey.length === 0) this.#drop(keyId);
    }
    return taken;
  }

  #drop(keyId: string): void {
    this.#waiting.delete(keyId);
    this.#order.leave(keyId);
  }
}

const scopeOf = (orgId: string, keyId: string | null): string => `${orgId} ${keyId ?? ''}`;

/** Returns the limit that refused a request, if the request can wait for it. */
function pacingLimit(reason: unknown): PacingLimit | undefined {
  if (!(reason instanceof Exceeded)) return undefined;
  const { by } = reason;
  return 'limitId' in by && by.maxWaitMs !== null ? { ...by, maxWaitMs: by.maxWaitMs } : undefined;
}
