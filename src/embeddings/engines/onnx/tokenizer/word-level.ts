import type { Part } from './part.ts';
import type { TokenModel } from './token-model.ts';
import { readUnknown, readVocabulary } from './vocabulary.ts';

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
