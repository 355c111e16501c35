import { LRUCache } from 'lru-cache';
import { unavailable } from '../errors.ts';
import { tooManyAtOnce } from './exceeded.ts';
import type { LimitStanding } from './limit.ts';

type Release = () => void;

interface Waiting {
  readonly limits: readonly LimitStanding[];
  readonly begin: () => void;
  readonly fail: (reason: unknown) => void;
}

/**
 * The limits of requests at a time. A replica counts its own requests, in memory, so that nothing stays counted when the
 * process ends.
 */
export class AtOnce {
  /** How many requests are in progress, by limit. */
  readonly #inProgress = new Map<string, number>();
  /** The amounts that the newest requests have brought, which also hold for those that wait, by limit. */
  readonly #amounts = new LRUCache<string, number>({ max: 10_000 });
  /** The requests that wait, by organization, in order of arrival. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  /** How long requests have taken lately, by limit, in milliseconds. */
  readonly #meanMs = new LRUCache<string, number>({ max: 10_000 });
  #isClosed = false;

  /** Returns how many requests of this process a limit counts now. */
  countOf(limitId: string): number {
    return this.#inProgress.get(limitId) ?? 0;
  }

  /**
   * Resolves when every limit has room for a request, which then counts until the returned function is called. Throws
   * `rate_limit_exceeded` if a limit has no room and doesn't wait, or not long enough, and the signal's reason.
   */
  async begin(orgId: string, limits: readonly LimitStanding[], signal?: AbortSignal): Promise<Release> {
    for (const { limitId, amount } of limits) this.#amounts.set(limitId, amount);
    this.#beginNext(orgId, limits);
    const [first, ...more] = limits.filter((limit) => !this.#hasRoom(limit));
    if (first) await this.#wait(orgId, [first, ...more], limits, signal);
    else this.#count(limits, 1);
    const sinceMs = performance.now();
    return () => {
      this.#note(limits, performance.now() - sinceMs);
      this.#count(limits, -1);
      this.#beginNext(orgId, limits);
    };
  }

  /** Refuses the requests that wait, and those that would have to from now on. */
  close(): void {
    this.#isClosed = true;
    const reason = unavailable(new Error('The service is shutting down'));
    for (const waiting of this.#waiting.values()) for (const { fail } of waiting) fail(reason);
  }

  #hasRoom({ limitId, amount }: LimitStanding): boolean {
    return this.countOf(limitId) < (this.#amounts.get(limitId) ?? amount);
  }

  #count(limits: readonly LimitStanding[], change: 1 | -1): void {
    for (const { limitId } of limits) {
      const count = this.countOf(limitId) + change;
      if (count === 0) this.#inProgress.delete(limitId);
      else this.#inProgress.set(limitId, count);
    }
  }

  #note(limits: readonly LimitStanding[], ms: number): void {
    for (const { limitId } of limits)
      this.#meanMs.set(limitId, (this.#meanMs.get(limitId) ?? ms) * 0.9 + ms * 0.1);
  }

  async #wait(
    orgId: string,
    full: readonly [LimitStanding, ...LimitStanding[]],
    limits: readonly LimitStanding[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const waitMs = Math.min(...full.map(({ maxWaitMs }) => maxWaitMs ?? 0));
    const refusal = () => tooManyAtOnce(full[0], this.#meanMs.get(full[0].limitId) ?? 0);
    if (waitMs === 0 || this.#isClosed) throw refusal();
    const others = this.#waiting.get(orgId) ?? new Set();
    this.#waiting.set(orgId, others);
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const fail = (reason: unknown) => {
      others.delete(waiting);
      reject(reason);
    };
    const waiting: Waiting = { limits, begin, fail };
    others.add(waiting);
    const timer = setTimeout(() => fail(refusal()), waitMs);
    const abort = () => fail(signal?.reason);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (others.size === 0 && this.#waiting.get(orgId) === others) this.#waiting.delete(orgId);
    }
  }

  /** Begins the requests that wait and have room now. A request that has room doesn't wait for an earlier one that has none. */
  #beginNext(orgId: string, freed: readonly LimitStanding[]): void {
    const waiting = this.#waiting.get(orgId) ?? [];
    for (const one of waiting) {
      if (!freed.some((limit) => this.#hasRoom(limit))) return;
      if (!one.limits.every((limit) => this.#hasRoom(limit))) continue;
      this.#count(one.limits, 1);
      this.#waiting.get(orgId)?.delete(one);
      one.begin();
    }
  }
}
