import type { TokenLimits, Tokens } from './tokens.ts';

/** Takes a text's tokens in order: keeps the first, and counts them all or until it is clear that they are too many. */
export class TokenCollector {
  readonly #ids: number[] = [];
  readonly #limits: TokenLimits;
  readonly #fusedId: number;
  #count = 0;
  #previous = -1;

  /** Tokens of `fusedId` in a row count as one; −1 where each counts. */
  constructor(limits: TokenLimits, fusedId: number) {
    this.#limits = limits;
    this.#fusedId = fusedId;
  }

  /** Whether no further token can change anything. */
  get isFull(): boolean {
    return this.#count > this.#limits.maxCounted;
  }

  add(id: number): void {
    const isFused = id === this.#fusedId && id === this.#previous;
    this.#previous = id;
    if (isFused) return;
    this.#count += 1;
    if (this.#ids.length < this.#limits.maxTokens) this.#ids.push(id);
  }

  get tokens(): Tokens {
    return { ids: this.#ids, fullTokenCount: this.isFull ? Number.POSITIVE_INFINITY : this.#count };
  }
}
