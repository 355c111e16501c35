import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';

/** Time constant with which measured throughput fades, in milliseconds. */
const memoryMs = 30_000;
const maxRetrySeconds = 60;

/** Limits the number of tokens admitted at a time, and estimates from recent throughput when there will be room. */
export class Admission {
  readonly #maxTokens: number;
  readonly #clock: Clock;
  #heldTokens = 0;
  #seenAtMs = 0;
  // Both fade at the same rate, so their quotient is the recent throughput, idle time excluded.
  #doneTokens = 0;
  #busyMs = 0;

  constructor(maxTokens: number, clock: Clock) {
    this.#maxTokens = maxTokens;
    this.#clock = clock;
  }

  get heldTokens(): number {
    return this.#heldTokens;
  }

  /**
   * Takes a permit and returns the function that releases it. Throws `overloaded` when the limit would be exceeded.
   * A request larger than the limit is admitted if no other permit is held.
   */
  take(tokens: number): () => void {
    this.#advance();
    if (this.#heldTokens > 0 && this.#heldTokens + tokens > this.#maxTokens) throw this.#overloaded(tokens);
    this.#heldTokens += tokens;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#advance();
      this.#heldTokens -= tokens;
      this.#doneTokens += tokens;
    };
  }

  #advance(): void {
    const nowMs = this.#clock.now();
    const elapsedMs = this.#heldTokens > 0 ? Math.max(0, nowMs - this.#seenAtMs) : 0;
    const remaining = Math.exp(-elapsedMs / memoryMs);
    this.#busyMs = this.#busyMs * remaining + elapsedMs;
    this.#doneTokens *= remaining;
    this.#seenAtMs = nowMs;
  }

  #overloaded(tokens: number): ServiceError {
    const excessTokens = Math.min(this.#heldTokens, this.#heldTokens + tokens - this.#maxTokens);
    // Before anything is done, assume that the wait is at least the time spent so far.
    const waitMs = this.#doneTokens > 0 ? (excessTokens * this.#busyMs) / this.#doneTokens : this.#busyMs;
    const retryAfterSeconds = Math.min(maxRetrySeconds, Math.max(1, Math.ceil(waitMs / 1_000)));
    return new ServiceError('overloaded', 'Too many texts are waiting. Try again later.', {
      retryAfterSeconds,
    });
  }
}
