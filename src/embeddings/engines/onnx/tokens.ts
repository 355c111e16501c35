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
