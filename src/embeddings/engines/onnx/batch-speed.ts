/** Of the last batches, how much each counts against all before it. */
const weight = 0.1;
/** Until the first batch has run: a small model on one slow core. */
const initialTokensPerMs = 8;

/** Learns how many tokens a batch may have to take a given time, with this model on this machine. */
export class BatchSpeed {
  #tokensPerMs = initialTokensPerMs;

  /** 1 or more. */
  tokensIn(milliseconds: number): number {
    return Math.max(1, Math.round(this.#tokensPerMs * milliseconds));
  }

  /** A batch of so many tokens, padding among them, took so long. */
  observe(tokens: number, tookMs: number): void {
    if (tookMs <= 0) return;
    this.#tokensPerMs += weight * (tokens / tookMs - this.#tokensPerMs);
  }
}
