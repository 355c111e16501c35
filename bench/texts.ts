import { readFileSync } from 'node:fs';

const file = new URL('../test/data/stsb-en-dev.csv', import.meta.url);
const sentences = readFileSync(file, 'utf8')
  .split(/\r?\n/)
  .flatMap((line) => line.split(','))
  .filter((part) => part.length > 20);

/** Coprime to the number of sentences: the file goes from captions to news, and each part of it is to be like the others. */
const stride = 1_009;

/** Short texts, none like another: sentences of the STS Benchmark with a number. */
export function distinctTexts(label: string): () => string {
  let next = 0;
  return () => {
    const text = `${sentences[(next * stride) % sentences.length]} ${label} ${next}`;
    next += 1;
    return text;
  };
}
