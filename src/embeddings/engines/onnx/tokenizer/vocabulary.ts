import { isInteger, isObject } from '../../../../lib/json.ts';
import type { Part } from './part.ts';

/** Ids by token. */
export type Vocabulary = ReadonlyMap<string, number>;

export function readVocabulary(part: Part): Vocabulary {
  const json = part.field('vocab');
  if (!isObject(json)) return part.refuse('"vocab" is not an object');
  const vocabulary = new Map<string, number>();
  const ids = new Set<number>();
  for (const [token, id] of Object.entries(json)) {
    if (!isInteger(id) || id < 0 || id > 0x7fff_ffff || ids.has(id)) {
      return part.refuse(`the token ${JSON.stringify(token)} has the id ${JSON.stringify(id)}`);
    }
    ids.add(id);
    vocabulary.set(token, id);
  }
  return vocabulary;
}

/** Returns the id of the unknown token. */
export function readUnknown(part: Part, vocabulary: Vocabulary): number {
  const token = part.string('unk_token');
  return vocabulary.get(token) ?? part.refuse(`"vocab" lacks the unknown token ${JSON.stringify(token)}`);
}

/** Returns the ids of the tokens for the bytes of unknown characters. */
export function byteTokens(part: Part, vocabulary: Vocabulary): number[] {
  return Array.from({ length: 256 }, (_, byte) => {
    const token = `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
    return vocabulary.get(token) ?? part.refuse(`"byte_fallback" without the token "${token}"`);
  });
}
