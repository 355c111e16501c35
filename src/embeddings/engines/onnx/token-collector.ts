/** The limits of tokenization, in tokens, including special ones. */
export interface TokenLimits {
  /** Maximum number of ids to keep. */
  readonly maxTokens: number;
  /** Tokenization stops when a text has more tokens than this. At least `maxTokens`. */
  readonly maxCounted: number;
}

export interface Tokens {
  /** The first `maxTokens` tokens. */
  readonly ids: number[];
  /** Number of tokens of the whole text. Infinite if there are more than `maxCounted`. */
  readonly fullTokenCount: number;
}

/** Collects a text's tokens in order. Keeps the first `maxTokens`; counts until there are more than `maxCounted`. */
export class TokenCollector {
  readonly #ids: number[] = [];
  readonly #limits: TokenLimits;
  #count = 0;

  constructor(limits: TokenLimits) {
    this.#limits = limits;
  }

  /** Whether further tokens no longer change the result. */
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
