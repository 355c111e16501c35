import type { TokenCollector } from '../token-collector.ts';
import type { Part } from './part.ts';
import type { TokenModel } from './token-model.ts';
import { readUnknown, readVocabulary } from './vocabulary.ts';

// The work for a word is proportional to its length times the longest piece's.
const maxWordCharacters = 1_000;

/** Creates a model that takes the longest matching piece, repeatedly. If none matches, the whole word is unknown. */
export function wordPiece(part: Part): TokenModel {
  const vocabulary = readVocabulary(part);
  const unknownId = readUnknown(part, vocabulary);
  const prefix = part.string('continuing_subword_prefix', '##');
  const maxCharacters = part.integer('max_input_chars_per_word', 100);
  if (maxCharacters > maxWordCharacters)
    part.refuse(`"max_input_chars_per_word" is over ${maxWordCharacters}`);
  const following = new Map<string, number>();
  let longest = 0;
  for (const [token, id] of vocabulary) {
    if (token.startsWith(prefix)) following.set(token.slice(prefix.length), id);
    longest = Math.max(longest, token.length);
  }

  const add = (word: string, tokens: TokenCollector): void => {
    if (word.length > maxCharacters && [...word.slice(0, 2 * maxCharacters + 2)].length > maxCharacters) {
      tokens.add(unknownId);
      return;
    }
    const ids: number[] = [];
    for (let start = 0; start < word.length; ) {
      const known = start === 0 ? vocabulary : following;
      let id: number | undefined;
      let end = Math.min(word.length, start + longest);
      for (; end > start; end--) {
        id = known.get(word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) {
        tokens.add(unknownId);
        return;
      }
      ids.push(id);
      start = end;
    }
    for (const id of ids) tokens.add(id);
  };
  return {
    vocabularySize: vocabulary.size,
    idOf: (token) => vocabulary.get(token),
    add,
    // biome-ignore lint/correctness/useYield: a long word is unknown
    *addLong(word, tokens) {
      add(word, tokens);
    },
  };
}
