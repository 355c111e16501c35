import type { TokenCollector } from '../token-collector.ts';

/** Makes tokens of words. */
export interface TokenModel {
  readonly vocabularySize: number;
  idOf(token: string): number | undefined;
  /** Adds the tokens of a word of at most `longWordUnits`. */
  add(word: string, tokens: TokenCollector): void;
  /** Adds the tokens of a longer word. Yields after every few milliseconds of work. */
  addLong(word: string, tokens: TokenCollector): Generator<void>;
}

/** A millisecond or two of work. */
export const longWordUnits = 4_096;
