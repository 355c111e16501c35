import type { TokenCollector } from '../token-collector.ts';

/** Converts words to tokens. */
export interface TokenModel {
  readonly vocabularySize: number;
  idOf(token: string): number | undefined;
  /** Adds the tokens of a word of at most `longWordUnits`. */
  add(word: string, tokens: TokenCollector): void;
  /** Adds the tokens of a longer word. Yields every few milliseconds. */
  addLong(word: string, tokens: TokenCollector): Generator<void>;
}

/** A millisecond or two of work. */
export const longWordUnits = 4_096;
