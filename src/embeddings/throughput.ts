import type { Clock } from '../lib/clock.ts';

/** Time constant with which measured throughput fades, in milliseconds. */
const memoryMs = 30_000;

/** The recent throughput of something, not counting the time in which it had nothing to do. */
export class Throughput {
  readonly #clock: Clock;
  #seenAtMs = 0;
  // Both fade at the same rate, so their quotient is the recent throughput.
  #doneTokens = 0;
  #busyMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isKnown(): boolean {
    return this.#doneTokens > 0;
  }

  /** Must be called before each change from or to idleness, with whether it was busy until now. */
  advance(wasBusy: boolean): void {
    const nowMs = this.#clock.now();
    const elapsedMs = wasBusy ? Math.max(0, nowMs - this.#seenAtMs) : 0;
    const remaining = Math.exp(-elapsedMs / memoryMs);
    this.#busyMs = this.#busyMs * remaining + elapsedMs;
    this.#doneTokens *= remaining;
    this.#seenAtMs = nowMs;
  }

  /** Adds tokens that were just done. */
  done(tokens: number): void {
    this.#doneTokens += tokens;
  }

  /** Returns how long so many tokens take. Before anything is done: at least the time spent so far. */
  millisecondsFor(tokens: number): number {
    return this.isKnown ? (tokens * this.#busyMs) / this.#doneTokens : this.#busyMs;
  }
}
