import { readFileSync } from 'node:fs';

const file = new URL('../test/data/stsb-en-dev.csv', import.meta.url);
const sentences = readFileSync(file, 'utf8')
  .split(/\r?\n/)
  .flatMap((line) => line.split(','))
  .filter((part) => part.length > 20);

/**
 * Coprime to the number of sentences: the file goes from captions to news, and each part of the sample should
 * be similar.
 */
const stride = 1_009;

/** Different short texts: sentences of the STS Benchmark with a number. */
export function distinctTexts(label: string): () => string {
  let next = 0;
  return () => {
    const text = `${sentences[(next * stride) % sentences.length]} ${label} ${next}`;
    next += 1;
    return text;
  };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Returns texts of a number of words of three letters. The same seed gives the same texts. */
export function textsOfWords(seed: number): (words: number) => string {
  let state = seed;
  // A linear congruential generator (Numerical Recipes): the same texts in each run.
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = (): string => Array.from({ length: 3 }, () => letters[random(letters.length)]).join('');
  return (words) => Array.from({ length: words }, word).join(' ');
}
