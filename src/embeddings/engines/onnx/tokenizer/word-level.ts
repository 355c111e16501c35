import type { Part } from './part.ts';
import type { TokenModel } from './token-model.ts';
import { readUnknown, readVocabulary } from './vocabulary.ts';

/** A token for each word that is known. */
export function wordLevel(part: Part): TokenModel {
  const vocabulary = readVocabulary(part);
  const unknownId = readUnknown(part, vocabulary);
  const add: TokenModel['add'] = (word, tokens) => tokens.add(vocabulary.get(word) ?? unknownId);
  return {
    vocabularySize: vocabulary.size,
    idOf: (token) => vocabulary.get(token),
    add,
    // biome-ignore lint/correctness/useYield: a long word is one look-up too
    *addLong(word, tokens) {
      add(word, tokens);
    },
  };
}
