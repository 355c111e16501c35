import type { TokenLimits, Tokens } from './tokens.ts';

/** Takes a text's tokens in order: keeps the first, and counts them all or until it is clear that they are too many. */
export class TokenCollector {
  readonly #ids: number[] = [];
  readonly #limits: TokenLimits;
  #count = 0;

  constructor(limits: TokenLimits) {
    this.#limits = limits;
  }

  /** Whether no further token can change anything. */
  get isFull(): boolean {
    return this.#count > this.#limits.maxCounted;
  }

  add(id: number): void {
    this.#count += 1;
    if (this.#ids.length < this.#limits.maxTokens) this.#ids.push(id);
  }

  get tokens(): Tokens {
    return { ids: this.#ids, fullTokenCount: this.isFull ? Number.POSITIVE_INFINITY : this.#count };
  }
}
