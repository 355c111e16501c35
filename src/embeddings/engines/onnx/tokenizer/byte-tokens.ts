import type { Part } from './part.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Returns the ids of the tokens for the bytes of unknown characters. */
export function byteTokens(part: Part, vocabulary: Vocabulary): number[] {
  return Array.from({ length: 256 }, (_, byte) => {
    const token = `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
    return vocabulary.get(token) ?? part.refuse(`"byte_fallback" without the token "${token}"`);
  });
}
