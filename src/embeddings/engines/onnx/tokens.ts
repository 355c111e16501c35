/** How much of a text is wanted, in tokens, special ones included. */
export interface TokenLimits {
  /** As many of the first ids are kept. */
  readonly maxTokens: number;
  /** The rest of a text that has more than these isn't looked at. At least `maxTokens`. */
  readonly maxCounted: number;
}

export interface Tokens {
  /** The first tokens, at most as many as asked for. */
  readonly ids: number[];
  /** Tokens of the whole text; infinite where they are more than `maxCounted`. */
  readonly fullTokenCount: number;
}
