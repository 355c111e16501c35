import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const shortest = 5;
const longest = 120;
/** [CLS] and [SEP]. */
const specialTokens = 2;
/** Coprime to the number of lengths, so that neighbours differ much. */
const stride = 37;

/** Different texts of 5 to 120 tokens of this model, with each length equally often: English words of one token. */
export function textsOfTokens(directory: string, seed: number): () => string {
  const words = readFileSync(join(directory, 'vocab.txt'), 'utf8')
    .split('\n')
    .filter((word) => /^[a-z]{3,9}$/.test(word));
  let state = seed;
  // A linear congruential generator (Numerical Recipes): the same texts in each run.
  const word = (): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[Math.floor((state / 2 ** 32) * words.length)] as string;
  };
  let next = 0;
  return () => {
    const tokens = shortest + ((next++ * stride) % (longest - shortest + 1));
    return Array.from({ length: tokens - specialTokens }, word).join(' ');
  };
}
