/** Weight of the newest batch in the moving average. */
const weight = 0.1;
/** The estimate before the first batch: a small model on one slow core. */
const initialTokensPerMs = 8;

/** Measures how many tokens this model computes in a given time on this machine. */
export class BatchSpeed {
  #tokensPerMs = initialTokensPerMs;

  /** Returns how many tokens a batch can have to take this long; at least 1. */
  tokensIn(milliseconds: number): number {
    return Math.max(1, Math.round(this.#tokensPerMs * milliseconds));
  }

  /** Records a batch. `tokens` includes the padding. */
  observe(tokens: number, tookMs: number): void {
    if (tookMs <= 0) return;
    this.#tokensPerMs += weight * (tokens / tookMs - this.#tokensPerMs);
  }
}
