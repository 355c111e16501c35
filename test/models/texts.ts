import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readStsBenchmark } from '../helpers/sts-benchmark.ts';
import { unusualTexts } from './unusual-texts.ts';

const count = 10_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const linesPerText = 8;
const maxLines = 16;

/**
 * 10,000 different texts, none of them empty: every script and assigned character, emoji and odd white space, the
 * sentences of the STS Benchmark, and this project's code and documentation in pieces of 1 to 16 lines.
 */
export async function variedTexts(): Promise<string[]> {
  const sentences = (await readStsBenchmark()).flatMap((pair) => pair.sentences);
  const found = new Set([...sentences, ...unusualTexts(), ...piecesOfCode()]);
  found.delete('');
  if (found.size < count) throw new Error(`There are only ${found.size} texts`);
  return [...found].slice(0, count);
}

function* piecesOfCode(): Generator<string> {
  const files = globSync('{src,test,bench,docs,web/src}/**/*.{ts,tsx,py,md,sql,css}', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  }).sort();
  for (const file of files) {
    const lines = readFileSync(`${root}/${file}`, 'utf8').split('\n');
    for (let start = 0, pieces = 0; start < lines.length; pieces++) {
      const length = pieces % linesPerText === 0 ? maxLines : 1 + (pieces % linesPerText);
      yield lines.slice(start, start + length).join('\n');
      start += length;
    }
  }
}
