import type { TokenCollector } from '../token-collector.ts';
import type { Part } from './part.ts';
import { readUnknown, readVocabulary } from './vocabulary.ts';

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

/** Creates a model with one token per word. */
export function wordLevel(part: Part): TokenModel {
  const vocabulary = readVocabulary(part);
  const unknownId = readUnknown(part, vocabulary);
  const add: TokenModel['add'] = (word, tokens) => tokens.add(vocabulary.get(word) ?? unknownId);
  return {
    vocabularySize: vocabulary.size,
    idOf: (token) => vocabulary.get(token),
    add,
    // biome-ignore lint/correctness/useYield: a long word also takes one lookup
    *addLong(word, tokens) {
      add(word, tokens);
    },
  };
}
