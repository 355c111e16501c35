import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';

/** The span over which recent throughput outweighs older. */
const memoryMs = 30_000;
const maxRetrySeconds = 60;

/** Bounds the tokens admitted at a time, and knows from recent throughput when there will be room again. */
export class Admission {
  readonly #maxTokens: number;
  readonly #clock: Clock;
  #heldTokens = 0;
  #seenAtMs = 0;
  // Both fade at the same rate, so their quotient is the recent throughput while there was something to do.
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
   * Takes a permit, and answers the function that releases it. Throws `overloaded` where the bound would be exceeded;
   * a request larger than the bound is admitted when it would be the only one.
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
    // While nothing has been done yet, it takes at least as long again as it took so far.
    const waitMs = this.#doneTokens > 0 ? (excessTokens * this.#busyMs) / this.#doneTokens : this.#busyMs;
    const retryAfterSeconds = Math.min(maxRetrySeconds, Math.max(1, Math.ceil(waitMs / 1_000)));
    return new ServiceError('overloaded', 'Too many texts are waiting. Try again later.', {
      retryAfterSeconds,
    });
  }
}
